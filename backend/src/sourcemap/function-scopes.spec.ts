import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { readFunctionScopes, scopeAt } from './function-scopes.ts';

/** Returns the names of the functions around `HERE`, innermost first; null for a function without a name. */
function namesAround(code: string): readonly (string | null)[] | undefined {
  const scopes = readFunctionScopes(code);
  if (scopes === undefined) return undefined;
  const names: (string | null)[] = [];
  for (let scope = scopeAt(scopes, code.indexOf('HERE')); scope !== null; scope = scope.parent)
    names.push(scope.name === null ? null : code.slice(scope.name.at, scope.name.end));
  return names;
}

describe('readFunctionScopes', () => {
  it.each([
    ['function f(){HERE}', ['f']],
    ['async function*f(a=1){HERE}', ['f']],
    ['x=function(){HERE}', ['x']],
    ['x=function f(){HERE}', ['f']],
    ['const x=a=>HERE,y=1', ['x']],
    ['const x=async(a,{b=c()})=>{HERE}', ['x']],
    ['const x=a=>b=>HERE', [null, 'x']],
    ['x={m(){HERE}}', ['m']],
    ['x={m:()=>HERE}', ['m']],
    ['x={"a b":function(){HERE}}', ['a b']],
    ['x={get default(){HERE}}', ['default']],
    ['x={async*m(){HERE}}', ['m']],
    ['x={[k](){HERE}}', [null]],
    ['x={1234(e,t){HERE}}', ['1234']],
    ['x={function:1,class:2,m(){HERE}}', ['m']],
    ['class C{constructor(){HERE}}', ['C']],
    ['x=class{constructor(){HERE}}', ['x']],
    ['x=class extends mix({a(){}}){static async m(){HERE}}', ['m']],
    ['class C{#p(){HERE}}', ['#p']],
    ['class C{field=()=>HERE}', ['field']],
    ['class C{delete(e){HERE}}', ['delete']],
    ['a.b.method=function(){HERE}', ['method']],
    ['const P=memo(()=>HERE)', ['P']],
    ['const P=(0,r.memo)(function(){HERE})', ['P']],
    ['const P=await load(()=>HERE)', ['P']],
    ['const P=(()=>HERE)()', ['P']],
    ['const P=new class extends Q{constructor(){HERE}}', ['P']],
    ['const P=on("click",()=>HERE)', [null]],
    ['({onClick=()=>HERE})=>1', ['onClick', null]],
    ['function f(){const sum=items.reduce((a,b)=>HERE)}', [null, 'f']],
    ['on("click",()=>{HERE})', [null]],
    ['x=a?b:()=>HERE', [null]],
    ['x=a?b=>1:c=>HERE', [null]],
    ['x=a?e=>({b:1}):HERE', []],
    ['x=()=>1;HERE', []],
    ['x=[()=>1,HERE]', []],
    ['const x=()=>1\nconst y=HERE', []],
    ['if(a){HERE}', []],
    ['switch(a){case 1:{if(b){HERE}}}', []],
    ['try{a()}catch(e){HERE}finally{}', []],
    ['HERE', []],
  ])('reads %s', (code, expected) => {
    expect(namesAround(code)).toEqual(expected);
  });

  it.each([
    ['a string with brackets', `x="}{)(";function f(){HERE}`],
    ['a string with quotes', `x="\\"}";function f(){HERE}`],
    ['a template with expressions', 'x=`}${y({a:`)${1}`})}{`;function f(){HERE}'],
    ['two expressions in a row', 'x=`${a}${b}`;function f(){HERE}'],
    ['comments', '/*}*/function f(){//}\nHERE}'],
    ['a division', 'x=a/b;y=(1)/2/{c:1}.c;function f(){HERE}'],
    ['a regular expression with brackets', 'x=/[/}]{/g.test(y);function f(){HERE}'],
    ['one after a condition', 'if(a)/[)]/.test(b);function f(){HERE}'],
    ['one after return', 'g=()=>{return/}/.test(b)};function f(){HERE}'],
    ['one that is spread', 'x=[.../[)]/.exec(b)];function f(){HERE}'],
    ['a postfix before a division', 'x=a++/2;function f(){HERE}'],
    ['numbers with dots and exponents', 'x=1..toFixed()+1e-5+.5;function f(){HERE}'],
    ['optional chaining', 'x=a?.b?.[c]?.(d)??e?.5:1;function f(){HERE}'],
    ['syntax that modules do not allow', 'with(a){b}var await;function f(){HERE}'],
    ['a first line for the shell', "#!/usr/bin/env node\n'}';function f(){HERE}"],
  ])('parses %s', (_name, code) => {
    expect(namesAround(code)).toEqual(['f']);
  });

  it.each(['function f(){', 'x=(1]', '}', 'x="open', 'x=`open', 'x=`${'])(
    'returns undefined for %s',
    (code) => {
      expect(readFunctionScopes(code)).toBeUndefined();
    },
  );

  it('names functions of a script of several megabytes', () => {
    const code = `const m={${'1(e){return e.a+[e.b]},'.repeat(200_000)}last(){HERE}}`;

    expect(code.length).toBeGreaterThan(4 * 1024 * 1024);
    expect(namesAround(code)).toEqual(['last']);
  });

  it('names functions of a script whose whole tree would need more memory than the thread has', async () => {
    const calls = 'x(function(a,b){return a.c.d.e.f.g});'.repeat(1_000);
    const code = `const m={${`1(e){${calls}},`.repeat(200)}last(){HERE}}`;
    const read = `import('${import.meta.resolve('./function-scopes.ts')}').then(({ readFunctionScopes }) =>
      require('node:worker_threads').parentPort.postMessage(readFunctionScopes(${JSON.stringify(code)})?.length));`;
    const resourceLimits = { maxOldGenerationSizeMb: 256 };

    const [count] = (await once(new Worker(read, { eval: true, resourceLimits }), 'message')) as [number];

    expect(count).toBe(200_201);
  });

  it.each(['a;'.repeat(1_600_000), ' '.repeat(17 * 1024 * 1024)])(
    'returns undefined for a script that would need too much memory or time',
    (code) => {
      expect(readFunctionScopes(code)).toBeUndefined();
    },
  );

  it('returns undefined for an expression nested deeper than the stack', () => {
    expect(readFunctionScopes(`x=${'('.repeat(100_000)}1${')'.repeat(100_000)}`)).toBeUndefined();
  });

  it('reads a megabyte of strings without exhausting the stack', () => {
    const code = `x="${'a\\n'.repeat(400_000)}";function f(){HERE}`;

    expect(namesAround(code)).toEqual(['f']);
  });
});
