import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { requireNode } from './require-node.ts';

const SOURCE = join(import.meta.dirname, '..');
const MANIFEST = join(SOURCE, '..', '..', 'package.json');
const LINE = /^Errata needs Node (24\.9) or newer; this process has \d+\.\d+\.\d+$/;
/** What Node 20 lacks of Node's own modules, among all that is imported. */
const NEWER = /^import [^;]*zstd[^;]* from 'node:zlib';|^import [^;]* from 'node:sqlite';/im;

/** Adds a file and all files that it imports, without types and threads. */
function addLinked(file: string, found: Map<string, string>): ReadonlyMap<string, string> {
  if (found.has(file)) return found;
  const text = readFileSync(file, 'utf8');
  found.set(file, text);
  for (const [, path = ''] of text.matchAll(/^(?:import|export)(?! type)[^;]*?'(\.[^']+\.ts)'/gm))
    addLinked(join(dirname(file), path), found);
  return found;
}

it.each(['24.9.0', '24.10.1', '25.0.0', '26.10.0'])('allows Node %s', (version) => {
  expect(() => requireNode(version)).not.toThrow();
});

it.each(['20.20.2', '22.99.0', '24.8.9'])(
  'names the version that is needed in the place of Node %s',
  (version) => {
    expect(() => requireNode(version)).toThrow(LINE);
  },
);

it('needs the version of package.json', () => {
  expect(readFileSync(MANIFEST, 'utf8')).toContain('"node": ">=24.9"');
});

it('comes before all other modules', () => {
  const entry = readFileSync(join(SOURCE, 'error-reporting.module.ts'), 'utf8');

  expect(/^import .*/m.exec(entry)?.[0]).toBe("import './config/require-node.ts';");
  expect(readFileSync(join(SOURCE, 'main.ts'), 'utf8')).not.toMatch(/^import /m);
});

it('runs on Node 20: no module that is linked before it needs a newer one', () => {
  const linked = addLinked(join(SOURCE, 'error-reporting.module.ts'), new Map());

  expect(linked.size).toBeGreaterThan(200);
  expect([...linked].filter(([, text]) => NEWER.test(text)).map(([file]) => file)).toEqual([]);
});
