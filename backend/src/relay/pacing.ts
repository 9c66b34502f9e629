/**
 * Envelopes that wait for their commit at once while intake is busy: they arrive faster than they can be committed. With
 * 96, a burst over 32 connections did not count as busy and took twice as long; the highest sustained rate is the same.
 */
const BUSY_WAITING = 24;
/** Fill of the spool above which sinks no longer yield; otherwise it would fill up until errors are refused. */
const MAX_YIELDING_FILL = 0.25;

interface SpoolLoad {
  /** Envelopes that wait for their commit, or waited when the last commit ended. */
  readonly waiting: number;
  /** Used share of the spool's cap. */
  readonly fill: number;
}

/**
 * Reports whether the sinks should yield to intake: a refused envelope is lost, a delayed delivery is not.
 *
 * While many clients wait for a commit, each dispatcher has one batch in flight, which leaves intake all but a few
 * hundredths of the event loop, and the store rests between its batches. Yielding is meant for bursts: when a quarter of
 * the spool is full, deliveries have to free space for intake.
 */
export function isIntakeBusy({ waiting, fill }: SpoolLoad): boolean {
  return waiting >= BUSY_WAITING && fill < MAX_YIELDING_FILL;
}

/** Interval at which a dispatcher that yields checks whether intake is still busy. */
const MAX_REST_MS = 50;

export interface PacingOptions {
  /** Time between the starts of two batches, unless the second one is full, ms. A single envelope is not delayed. */
  readonly batchIntervalMs: number;
  /** Rest after a batch while intake is busy, as a multiple of the batch's duration. For sinks on this machine. */
  readonly restRatio: number;
}

/** Decides when a dispatcher may start its next batch. */
export class Pacing {
  readonly #options: PacingOptions;
  #nextBatchAtMs = 0;
  #restsUntilMs = 0;

  constructor(options: PacingOptions) {
    this.#options = options;
  }

  /** Returns how long the next batch has to wait, to become larger or to yield to intake, ms. */
  waitMs(isFull: boolean, spool: SpoolLoad): number {
    const restsUntilMs = isIntakeBusy(spool) ? this.#restsUntilMs : 0;
    const dueMs = Math.max(isFull ? 0 : this.#nextBatchAtMs, restsUntilMs);
    return Math.min(Math.max(0, dueMs - performance.now()), MAX_REST_MS);
  }

  started(): void {
    this.#nextBatchAtMs = performance.now() + this.#options.batchIntervalMs;
  }

  ended(durationMs: number): void {
    this.#restsUntilMs = performance.now() + durationMs * this.#options.restRatio;
  }
}
