/**
 * So many envelopes waiting for their commit at once: they come faster than they can be committed. With
 * 96 a burst over 32 connections did not count, and went half as fast; the highest rate that holds is the same.
 */
const BUSY_WAITING = 24;
/** Above this fill of the spool the sinks yield no more, or it would fill until errors are refused. */
const MAX_YIELDING_FILL = 0.25;

/** How the spool fares. */
interface SpoolLoad {
  /** Envelopes that wait for their commit, or did when the last one ended. */
  readonly waiting: number;
  /** Share of the cap that is used. */
  readonly fill: number;
}

/**
 * Whether the sinks should yield to intake: an envelope refused is lost, one delivered later is not.
 *
 * While many senders wait for the disk each lane has one batch under way, which leaves intake all but a few hundredths
 * of the event loop, and the store rests between its batches. That is for bursts: once the spool is a quarter full,
 * delivering is what keeps intake going.
 */
export function isIntakeBusy({ waiting, fill }: SpoolLoad): boolean {
  return waiting >= BUSY_WAITING && fill < MAX_YIELDING_FILL;
}

/** While it yields to intake a lane looks so often whether that is over. */
const MAX_REST_MS = 50;

export interface PacingOptions {
  /** From the begin of a batch to that of the next one, unless that is full, ms: a lone envelope never waits. */
  readonly gatherMs: number;
  /** While intake is busy, a rest after each batch: so many times as long as that took. For sinks of this machine. */
  readonly restRatio: number;
}

/** When the next batch of a lane may begin. */
export class Pacing {
  readonly #options: PacingOptions;
  #gathersUntilMs = 0;
  #restsUntilMs = 0;

  constructor(options: PacingOptions) {
    this.#options = options;
  }

  /** How long a batch has to wait: it grows until then, or yields to intake. @returns ms, 0 for not at all. */
  waitMs(isFull: boolean, spool: SpoolLoad): number {
    const restsUntilMs = isIntakeBusy(spool) ? this.#restsUntilMs : 0;
    const dueMs = Math.max(isFull ? 0 : this.#gathersUntilMs, restsUntilMs);
    return Math.min(Math.max(0, dueMs - performance.now()), MAX_REST_MS);
  }

  began(): void {
    this.#gathersUntilMs = performance.now() + this.#options.gatherMs;
  }

  ended(tookMs: number): void {
    this.#restsUntilMs = performance.now() + tookMs * this.#options.restRatio;
  }
}
