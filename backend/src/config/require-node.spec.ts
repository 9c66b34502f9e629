import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireNode } from './require-node.ts';

const MANIFEST = join(import.meta.dirname, '..', '..', '..', 'package.json');
const LINE = /^Errata needs Node (24\.9) or newer; this process has \d+\.\d+\.\d+$/;

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
