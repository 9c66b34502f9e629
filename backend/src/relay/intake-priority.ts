/**
 * Envelopes that wait for their commit at once while intake is busy: they arrive faster than they can be committed. With
 * 96, a burst over 32 connections did not count as busy and took twice as long; the highest sustained rate is the same.
 */
const BUSY_WAITING = 24;
/** Fill of the spool from which the sinks' share grows, and where they have all of it. */
const SHARE_FROM_FILL = 0.5;
const WHOLE_SHARE_FILL = 0.9;
/** Busy shares above which the sinks give up half of their share, and below which they get it back; see BusyMeter. */
const FULL = 0.95;
const FREE = 0.8;
/**
 * Looks in a row with few waiting clients after which the sinks get their share back, although the cores are full: half a
 * second. With one look, between two commits of 128 clients in a closed loop, intake fell to three quarters.
 */
const CALM_LOOKS = 5;
/** A smaller share is that of the fewest envelopes in flight. */
const MIN_SHARE = 2 ** -7;

/** How much the spool has to do. */
export interface SpoolLoad {
  /** Envelopes that wait for their commit, or waited when the last commit ended. */
  readonly waiting: number;
  /** Used share of the spool's cap. */
  readonly fill: number;
}

/**
 * Returns the share that the sinks keep while intake is busy, by the fill of the spool: none up to half of the cap, then
 * more in a straight line. With a step they fell behind above it, and the spool filled up until errors were refused.
 */
export function shareByFill({ fill }: Pick<SpoolLoad, 'fill'>): number {
  return Math.min(1, Math.max(0, (fill - SHARE_FROM_FILL) / (WHOLE_SHARE_FILL - SHARE_FROM_FILL)));
}

/** Reports whether many clients wait for a commit: intake has all of a core, or needs it. The sinks rest then. */
export function isIntakeBusy({ waiting }: Pick<SpoolLoad, 'waiting'>): boolean {
  return waiting >= BUSY_WAITING;
}

/**
 * Decides how much of its window a sink uses: intake comes first, because a refused envelope is lost and a delayed delivery
 * is not.
 *
 * Intake and sinks share the main thread and the cores. While one of them is full and many clients wait, the share halves
 * with each look. It doubles when there is time again, or few clients have waited for a while: what fills the cores is then
 * the store, and an upstream must not stand still until the store has caught up.
 */
export class IntakePriority {
  readonly #spool: SpoolLoad;
  #share = 1;
  /** Looks in a row at which few clients waited. */
  #calmLooks = 0;

  constructor(spool: SpoolLoad) {
    this.#spool = spool;
  }

  /** The share of the window, 0 to 1. */
  get share(): number {
    return Math.max(this.#share, shareByFill(this.#spool));
  }

  /** Takes a new look into account. @param busy share of the time in which thread or cores were busy. */
  looked(busy: number): void {
    const isIntake = isIntakeBusy(this.#spool);
    this.#calmLooks = isIntake ? 0 : this.#calmLooks + 1;
    if (isIntake && busy >= FULL) this.#share = Math.max(MIN_SHARE, this.#share / 2);
    else if (busy < FREE || this.#calmLooks >= CALM_LOOKS) this.#share = Math.min(1, this.#share * 2);
  }
}
