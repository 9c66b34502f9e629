const TICK_MS = 10;

/**
 * Measures how late the timers of this process are: the time for which the machine did not run the bench. A time that
 * the bench measures meanwhile may be that much too long.
 *
 * `monitorEventLoopDelay` of node:perf_hooks does not serve here: it misses a stall that lasts until it is read.
 */
export class StallMeter {
  readonly #latenessMs: number[] = [];
  #lastAtMs = performance.now();
  readonly #timer = setInterval(() => this.#tick(), TICK_MS);

  /** Ends the measurement. */
  stop(): void {
    clearInterval(this.#timer);
    this.#tick();
  }

  /** Returns a percentile of the stalls; 100 is the longest one. */
  percentileMs(percentile: number): number {
    const sorted = this.#latenessMs.toSorted((one, other) => one - other);
    return sorted[Math.ceil((sorted.length * percentile) / 100) - 1] ?? 0;
  }

  #tick(): void {
    const nowMs = performance.now();
    this.#latenessMs.push(Math.max(0, nowMs - this.#lastAtMs - TICK_MS));
    this.#lastAtMs = nowMs;
  }
}
