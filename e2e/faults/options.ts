import { randomInt } from 'node:crypto';

/** The options of a run, from the environment. */
export interface Options {
  /** IDs of experiments in upper case; null: all experiments. */
  readonly only: readonly string[] | null;
  readonly seed: number;
  readonly isFull: boolean;
  readonly kills: number | null;
  /** File for the counts of passed, failed and skipped experiments, which .ci/test.ts adds to its totals. */
  readonly report: string | null;
}

export function readOptions(environment: Readonly<Record<string, string | undefined>>): Options {
  const { ONLY, SEED, FULL, KILLS, FAULTS_REPORT } = environment;
  return {
    only: isSet(ONLY) ? ONLY.toUpperCase().split(',') : null,
    seed: isSet(SEED) ? whole('SEED', SEED) : randomInt(2 ** 31),
    isFull: isSet(FULL) && FULL !== '0',
    kills: isSet(KILLS) ? whole('KILLS', KILLS) : null,
    report: FAULTS_REPORT ?? null,
  };
}

/** `make` passes an option without a value as an empty text. */
function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

function whole(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new Error(`${name} must be a whole number, not ${text}`);
  return value;
}
