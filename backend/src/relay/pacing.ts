import { isIntakeBusy, shareByFill, type SpoolLoad } from './intake-priority.ts';

/** Interval at which a dispatcher that yields checks whether intake is still busy. */
const MAX_REST_MS = 50;

export interface PacingOptions {
  /** Time between the starts of two batches, unless the second one is full, ms. A single envelope is not delayed. */
  readonly batchIntervalMs: number;
  /**
   * Rest after a batch while intake is busy, as a multiple of the batch's duration; shorter above half of the spool's cap.
   * For sinks on this machine.
   */
  readonly restRatio: number;
}

/** Decides when a dispatcher may start its next batch. */
export class Pacing {
  readonly #options: PacingOptions;
  readonly #nowMs: () => number;
  #nextBatchAtMs = 0;
  #endedAtMs = 0;
  #durationMs = 0;

  /** @param nowMs monotonic clock. */
  constructor(options: PacingOptions, nowMs: () => number) {
    this.#options = options;
    this.#nowMs = nowMs;
  }

  /** Returns how long the next batch has to wait, to become larger or to yield to intake, ms. */
  waitMs(isFull: boolean, spool: SpoolLoad): number {
    const restMs = this.#durationMs * this.#options.restRatio * (1 - shareByFill(spool));
    const restsUntilMs = isIntakeBusy(spool) ? this.#endedAtMs + restMs : 0;
    const dueMs = Math.max(isFull ? 0 : this.#nextBatchAtMs, restsUntilMs);
    return Math.min(Math.max(0, dueMs - this.#nowMs()), MAX_REST_MS);
  }

  started(): void {
    this.#nextBatchAtMs = this.#nowMs() + this.#options.batchIntervalMs;
  }

  ended(durationMs: number): void {
    this.#endedAtMs = this.#nowMs();
    this.#durationMs = durationMs;
  }
}
