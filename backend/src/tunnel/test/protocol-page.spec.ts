import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

/** Numbers of all requirements. */
const ALL = [
  ...Array.from({ length: 18 }, (_, index) => `E${index + 1}`),
  ...Array.from({ length: 12 }, (_, index) => `A${index + 1}`),
  ...Array.from({ length: 22 }, (_, index) => `H${index + 1}`),
];

/** Requirements and their test files in docs/protocol.md. */
const rows = readFileSync(join(ROOT, 'docs', 'protocol.md'), 'utf8')
  .split('\n')
  .map((line) => /^\| (?<id>[EAH]\d+) +\|.*\| (?<tests>[^|]*)\|$/.exec(line)?.groups)
  .filter((groups) => groups !== undefined)
  .map(({ id = '', tests = '' }) => ({
    id,
    files: [...tests.matchAll(/`(?<file>[^`]+)`/g)].map(([, file = '']) => file),
  }));

/** Returns the requirements at the start of the test names of a file: `H1, H2: accepts …`. */
function named(file: string): ReadonlySet<string> {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const names = text.matchAll(/['"`](?<ids>[A-Z]\d+(?:, [A-Z]\d+)*): /g);
  return new Set([...names].flatMap(({ groups }) => groups?.['ids']?.split(', ') ?? []));
}

describe('docs/protocol.md', () => {
  it('has every requirement once, in order', () => {
    expect(rows.map(({ id }) => id)).toEqual(ALL);
  });

  it.each(rows)('names for $id only files with a test that names it', ({ id, files }) => {
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !named(file).has(id))).toEqual([]);
  });
});
