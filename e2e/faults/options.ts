import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';

/** `gate`: counts only, for `make test`. `short` and `long` (`FULL=1`) measure times, too. */
export type Form = 'gate' | 'short' | 'long';

/** The options of a run, from the environment. */
export interface Options {
  /** IDs of experiments in upper case; null: all experiments. */
  readonly only: readonly string[] | null;
  readonly seed: number;
  readonly form: Form;
  readonly kills: number | null;
  /** Number of experiments that run side by side: one where times are measured, by default one per core in the gate. */
  readonly jobs: number;
  /** File for the report that .ci/test-reports.ts reads. */
  readonly report: string | null;
}

export function readOptions(environment: Readonly<Record<string, string | undefined>>): Options {
  const { ONLY, SEED, KILLS, JOBS, FAULTS_REPORT } = environment;
  const form = formOf(environment);
  return {
    only: isSet(ONLY) ? ONLY.toUpperCase().split(',') : null,
    seed: isSet(SEED) ? whole('SEED', SEED) : randomInt(2 ** 31),
    form,
    kills: isSet(KILLS) ? whole('KILLS', KILLS) : null,
    jobs: form === 'gate' ? jobsOf(JOBS) : 1,
    report: FAULTS_REPORT ?? null,
  };
}

function formOf({ FORM, FULL }: Readonly<Record<string, string | undefined>>): Form {
  if (isSet(FULL) && FULL !== '0') return 'long';
  if (!isSet(FORM)) return 'short';
  if (FORM === 'gate' || FORM === 'short' || FORM === 'long') return FORM;
  throw new Error(`FORM must be gate, short or long, not ${FORM}`);
}

function jobsOf(text: string | undefined): number {
  return Math.max(1, isSet(text) ? whole('JOBS', text) : availableParallelism());
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
