import type { Findings } from './findings.ts';
import type { Form } from './options.ts';
import type { Random } from './parts/random.ts';
import type { Scratch } from './parts/scratch.ts';
import type { Tally } from './tally.ts';

/** One run of an experiment: its random numbers, its folder and its findings. */
export interface Trial {
  readonly random: Random;
  readonly scratch: Scratch;
  readonly findings: Findings;
  /** Counts that are added up over runs. */
  readonly tally: Tally;
  readonly form: Form;
  /** Number of kills (`KILLS`), or null for the default of the form. */
  readonly kills: number | null;
}

/** A fault and the conditions that must hold under it. */
export interface Experiment {
  readonly id: string;
  readonly fault: string;
  readonly target: string;
  /** Returns the reason why it cannot run on this machine, or null. */
  readonly lacks?: () => string | null;
  /** The short and the long form, which also measure times. */
  readonly run: (trial: Trial) => Promise<void>;
  /** The form of `make test`: it counts and judges no time. Null: the experiment runs in `make faults` only. */
  readonly gate: ((trial: Trial) => Promise<void>) | null;
}
