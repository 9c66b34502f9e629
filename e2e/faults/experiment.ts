import type { Findings } from './findings.ts';
import type { Random } from './parts/random.ts';
import type { Scratch } from './parts/scratch.ts';
import type { Tally } from './tally.ts';

/** One go at an experiment: its chance, its place, and what it finds. */
export interface Trial {
  readonly random: Random;
  readonly scratch: Scratch;
  readonly findings: Findings;
  /** Counts that add up over runs. */
  readonly tally: Tally;
  /** The long form. */
  readonly isFull: boolean;
  /** Kills wanted (`KILLS`), or null for the form's own number. */
  readonly kills: number | null;
}

/** A fault, and what must hold under it. */
export interface Experiment {
  readonly id: string;
  readonly fault: string;
  readonly target: string;
  /** Why it cannot run on this machine, or null. */
  readonly lacks?: () => string | null;
  readonly run: (trial: Trial) => Promise<void>;
}
