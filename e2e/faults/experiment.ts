import type { Findings } from './findings.ts';
import type { Scale } from './options.ts';
import type { Random } from './parts/random.ts';
import type { Scratch } from './parts/scratch.ts';

/** One run of an experiment: its random numbers, its folder and its findings. */
export interface Trial {
  readonly random: Random;
  readonly scratch: Scratch;
  readonly findings: Findings;
  readonly scale: Scale;
  /** Number of kills (`KILLS`), or null for that of the scale. */
  readonly kills: number | null;
}

/** A fault and the conditions that must hold under it. Each file of `experiments/` exports its list. */
export interface Experiment {
  /** `F6`, or `C6A` for a control: a file `f06-….ts` exports them. */
  readonly id: string;
  readonly fault: string;
  /** Returns the reason why it cannot run on this machine, or null. */
  readonly lacks?: () => string | null;
  /** Whether it runs in `make faults` only. */
  readonly isLeftOut?: true;
  readonly run: (trial: Trial) => Promise<void>;
}
