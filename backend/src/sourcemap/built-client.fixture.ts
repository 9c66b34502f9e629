import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { build } from 'rolldown';

/** A client in the form of a Vite build: minified, with its maps beside the scripts and no reference to them. */
export interface BuiltClient {
  /** `dist`, with `assets/index-….js` and its map. */
  readonly directory: string;
  readonly scriptUrl: string;
  readonly code: string;
  readonly debugId: string;
}

/** One call of a stack; line and column are 1-based. */
export interface StackCall {
  readonly name: string | null;
  readonly line: number;
  readonly column: number;
}

const CHECKOUT = `export class Cart {
  #discount = 1;
  count: number;
  constructor(count: number) {
    if (count < 0) throw new RangeError('negative');
    this.count = count;
  }
  total(): number {
    return this.#reduced() * this.count;
  }
  #reduced(): number {
    if (this.count > 2) throw new Error('too many');
    return this.#discount;
  }
}

export function checkout(count: number): Cart {
  const created = new Cart(count);
  return created;
}
`;

const MAIN = `import { Cart, checkout } from './app/checkout.ts';
import { wrap } from 'wrapper';

interface Properties {
  readonly items: number;
}

const Page = wrap((properties: Properties) => {
  const totals = [properties.items].map((items) => checkout(items).total());
  return totals;
});

function eachItem(): void {
  [1, 2].forEach(function () {
    throw new TypeError('in a callback');
  });
}

const buttons = {
  async onClick(id: string) {
    await Promise.resolve();
    throw new Error('clicked ' + id);
  },
  plain: () => new Cart(3).total(),
};

globalThis.shop = { Page, buttons, eachItem, open: () => checkout(-1) };
`;

const WRAPPER = `export function wrap(inner) {
  return function wrapped(given) {
    return inner(given);
  };
}
`;

export interface BuildChanges {
  /** Text before each own module; the minifier then chooses other names. */
  readonly ahead?: string;
}

export async function buildClient({ ahead = '' }: BuildChanges = {}): Promise<BuiltClient> {
  const root = await mkdtemp(join(tmpdir(), 'errata-client-'));
  await write(join(root, 'src/main.ts'), ahead + MAIN);
  await write(join(root, 'src/app/checkout.ts'), ahead + CHECKOUT);
  await write(join(root, 'node_modules/wrapper/index.js'), WRAPPER);
  await write(
    join(root, 'node_modules/wrapper/package.json'),
    '{"name":"wrapper","type":"module","main":"index.js"}',
  );
  await build({
    cwd: root,
    input: { index: join(root, 'src/main.ts') },
    logLevel: 'silent',
    output: {
      dir: join(root, 'dist/assets'),
      format: 'iife',
      minify: true,
      sourcemap: 'hidden',
      sourcemapDebugIds: true,
      // The default is a function of another realm within Jest, which the bundler does not recognise.
      sourcemapIgnoreList: false,
      entryFileNames: '[name]-[hash].js',
    },
  });
  const directory = join(root, 'dist');
  const script = (await readdir(join(directory, 'assets'))).find((name) => name.endsWith('.js')) ?? '';
  const code = await readFile(join(directory, 'assets', script), 'utf8');
  const debugId = /debugId=([\da-f-]+)/.exec(code)?.[1] ?? '';
  return { directory, scriptUrl: `https://shop.example/assets/${script}`, code, debugId };
}

/** Deletes the client's folder with its sources. */
export function removeClient({ directory }: BuiltClient): Promise<void> {
  return rm(dirname(directory), { recursive: true });
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** Runs the client and an expression that throws. Returns the calls within the script, innermost first. */
export async function stackOf(
  { code, scriptUrl }: BuiltClient,
  expression: string,
): Promise<readonly StackCall[]> {
  const context = { shop: undefined };
  runInNewContext(code, context, { filename: scriptUrl });
  try {
    await runInNewContext(`shop.${expression}`, context, { filename: 'https://shop.example/' });
  } catch (error) {
    return callsIn(String((error as { readonly stack?: unknown }).stack), scriptUrl);
  }
  throw new Error(`${expression} did not throw`);
}

function callsIn(stack: string, scriptUrl: string): readonly StackCall[] {
  return stack.split('\n').flatMap((text) => {
    const [, name, url, line, column] = /^\s+at (?:(.*) \()?(https:.*?):(\d+):(\d+)\)?$/.exec(text) ?? [];
    return url === scriptUrl ? [{ name: name ?? null, line: Number(line), column: Number(column) }] : [];
  });
}
