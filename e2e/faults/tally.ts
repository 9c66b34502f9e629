import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const DIST = join(ROOT, 'backend', 'dist');

/** Counts of one experiment in one run. */
export type Counts = Readonly<Record<string, number>>;

interface Line {
  readonly at: string;
  readonly build: string;
  readonly id: string;
  readonly seed: number;
  readonly counts: Counts;
}

/**
 * Adds results up over runs, in a file of JSON lines, so that a thousand kills can be done in parts. Only results of the
 * same build are added up: those of another build prove nothing about this one.
 */
export class Tally {
  readonly #path: string;
  readonly #build: string;

  constructor(path = join(ROOT, 'build', 'faults.jsonl'), build = digestOf(DIST)) {
    this.#path = path;
    this.#build = build;
    mkdirSync(dirname(path), { recursive: true });
  }

  add(id: string, seed: number, counts: Counts): void {
    const line: Line = { at: new Date().toISOString(), build: this.#build, id, seed, counts };
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`);
  }

  /** Returns the sums of all runs of this build; counts whose names begin with `most` are maxima. */
  sum(id: string): Counts {
    const sums: Record<string, number> = {};
    for (const line of this.#lines()) {
      if (line.id !== id || line.build !== this.#build) continue;
      for (const [name, count] of Object.entries(line.counts)) {
        const before = sums[name] ?? 0;
        sums[name] = name.startsWith('most') ? Math.max(before, count) : before + count;
      }
    }
    return sums;
  }

  #lines(): readonly Line[] {
    if (!existsSync(this.#path)) return [];
    return readFileSync(this.#path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  }
}

/** Returns a digest of all scripts below a directory: the same for the same build. */
function digestOf(directory: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  for (const name of files.sort()) hash.update(`${name}\n`).update(readFileSync(join(directory, name)));
  return hash.digest('hex').slice(0, 16);
}
