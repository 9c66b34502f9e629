import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

/** Numbers of all requirements and threats, by the letters of their tables. */
const ALL = Object.entries({ E: 18, A: 12, H: 24, L: 6, S: 11 }).flatMap(([letter, length]) =>
  Array.from({ length }, (_, index) => `${letter}${index + 1}`),
);

/** Requirements of docs/protocol.md, threats of SECURITY.md, and their test files. */
const rows = ['docs/protocol.md', 'SECURITY.md']
  .flatMap((page) => readFileSync(join(ROOT, page), 'utf8').split('\n'))
  .map((line) => /^\| (?<id>[EAHLS]\d+) +\|.*\| (?<tests>[^|]*)\|$/.exec(line)?.groups)
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

describe('docs/protocol.md and SECURITY.md', () => {
  it('have every requirement and threat once, in order', () => {
    expect(rows.map(({ id }) => id)).toEqual(ALL);
  });

  it.each(rows)('name for $id only files with a test that names it', ({ id, files }) => {
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !named(file).has(id))).toEqual([]);
  });
});
