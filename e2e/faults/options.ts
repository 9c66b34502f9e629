import { randomInt } from 'node:crypto';

/** What a run was asked for, from the environment. */
export interface Options {
  /** Experiments by their id, in upper case; null: all. */
  readonly only: readonly string[] | null;
  readonly seed: number;
  readonly isFull: boolean;
  readonly kills: number | null;
  /** File for the counts of passed, failed and skipped, for the sum over all runners. */
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

/** `make` passes on what was not given as an empty text. */
function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

function whole(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new Error(`${name} must be a whole number, not ${text}`);
  return value;
}
