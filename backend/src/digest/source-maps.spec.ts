import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const runner = fileURLToPath(new URL('./run-faults.fixture.ts', import.meta.url));
const faults = fileURLToPath(new URL('./faults.fixture.ts', import.meta.url));
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

type Texts = Readonly<Record<string, string>>;

/** Compiles the fixture as the backend is compiled; `edit` is what a developer did to its source. */
function compiled(root: string, edit: (source: string) => string): string {
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  cpSync(runner, join(root, 'src', basename(runner)));
  writeFileSync(join(root, 'src', basename(faults)), edit(readFileSync(faults, 'utf8')));
  const options = '--target es2024 --module nodenext --sourceMap --rewriteRelativeImportExtensions --noCheck';
  const paths = ['--rootDir', 'src', '--outDir', 'dist', `src/${basename(runner)}`];
  execFileSync(process.execPath, [tsc, ...options.split(' '), ...paths], { cwd: root });
  return root;
}

function run(root: string, ...nodeOptions: readonly string[]): Texts {
  const urls = ['read-error.ts', 'digest.ts'].map((file) => new URL(file, import.meta.url).href);
  const script = join(root, 'dist', basename(runner, '.ts') + '.js');
  const output = execFileSync(process.execPath, [...nodeOptions, script, ...urls, root], {
    encoding: 'utf8',
  });
  return JSON.parse(output);
}

const commentsAbove = (source: string): string =>
  `// one\n// two\n${source.replace('class Shop {', '// three\nclass Shop {')}`;
const localsRenamed = (source: string): string =>
  source.replaceAll(/\bfound\b/g, 'hit').replaceAll(/\btext\b/g, 'json');

describe('the digest of a live error, compiled by tsc and run by node', () => {
  let directory: string;
  let plain: Texts;

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'errata-digest-'));
    compiled(join(directory, 'first'), (source) => source);
    plain = run(join(directory, 'first'));
  });

  afterAll(() => {
    rmSync(directory, { recursive: true, force: true });
  });

  it('names every fault of the fixture by its own frames and throws each of them', () => {
    const withoutFrame = Object.values(plain).filter((text) => !text.includes('\nf faults.fixture#'));

    expect(withoutFrame).toEqual([]);
    expect(plain['method']).toMatch(
      /\nt RangeError\nm no item <n>\nf faults\.fixture#find\nf faults\.fixture#method\n/,
    );
  });

  it('is the same with and without --enable-source-maps', () => {
    expect(run(join(directory, 'first'), '--enable-source-maps')).toEqual(plain);
  });

  it('is the same after an install into another directory, with spaces and brackets in its name', () => {
    const other = join(directory, 'dist', 'releases (2)', 'été 100%');
    cpSync(join(directory, 'first'), other, { recursive: true });

    expect(run(other)).toEqual(plain);
    expect(run(other, '--enable-source-maps')).toEqual(plain);
  });

  it('is the same after comment lines were inserted above and local variables renamed', () => {
    const edited = compiled(join(directory, 'edited'), (source) => localsRenamed(commentsAbove(source)));

    expect(run(edited)).toEqual(plain);
  });

  it('is the same for a throw before the first await and after one', () => {
    expect(plain['afterAwait']).toBe(plain['beforeAwait']);
  });

  it('is the same for a function called by a timer and through an alias', () => {
    expect(plain['timer']).toBe(plain['alias']);
  });

  it('differs between all faults that differ in class, message or place', () => {
    const { afterAwait: _, timer: __, ...distinct } = plain;
    const shown = Object.values(distinct).map((text) => text.slice(0, 'XXXX-XXXX'.length));

    expect(new Set(shown).size).toBe(shown.length);
  });
});
