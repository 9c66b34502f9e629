import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';

/** `gate`: small counts for `make test`, no time is judged. `short`, and `long` (`FULL=1`), measure times, too. */
export type Scale = 'gate' | 'short' | 'long';

/** The options of a run, from the environment. */
export interface Options {
  /** IDs of experiments in upper case; null: all experiments. */
  readonly only: readonly string[] | null;
  readonly seed: number;
  readonly scale: Scale;
  readonly kills: number | null;
  /** Number of experiments that run side by side: one where times are measured. */
  readonly jobs: number;
}

export function readOptions(environment: Readonly<Record<string, string | undefined>>): Options {
  const { ONLY = '', FULL = '', FORM = '' } = environment;
  const scale = FULL !== '' && FULL !== '0' ? 'long' : FORM || 'short';
  if (scale !== 'gate' && scale !== 'short' && scale !== 'long')
    throw new Error(`FORM must be gate, short or long, not ${FORM}`);
  /** `make` passes an option without a value as an empty text. */
  const whole = (name: string): number | null => {
    const text = environment[name] ?? '';
    if (!/^\d*$/.test(text)) throw new Error(`${name} must be a whole number, not ${text}`);
    return text === '' ? null : Number(text);
  };
  return {
    only: ONLY === '' ? null : ONLY.toUpperCase().split(','),
    seed: whole('SEED') ?? randomInt(2 ** 31),
    scale,
    kills: whole('KILLS'),
    jobs: scale === 'gate' ? (whole('JOBS') ?? availableParallelism()) : 1,
  };
}
