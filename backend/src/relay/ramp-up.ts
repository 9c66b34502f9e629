/**
 * Limits the rate at which the backlog of an outage is sent: one envelope in the first second, twice as many in each
 * following second, up to a maximum. It keeps a recovered upstream from being overloaded by all waiting relays at once.
 */
export class RampUp {
  readonly #startedAtMs: number;
  readonly #maxPerSecond: number;
  #nextAtMs: number;

  /** @param nowMs monotonic clock. */
  constructor(maxPerSecond: number, nowMs: number) {
    this.#maxPerSecond = maxPerSecond;
    this.#startedAtMs = nowMs;
    this.#nextAtMs = nowMs;
  }

  /** Returns how long the next envelope has to wait, ms. Call {@link sent} for each envelope that is sent. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.#nextAtMs - nowMs);
  }

  sent(nowMs: number): void {
    const seconds = (nowMs - this.#startedAtMs) / 1_000;
    const perSecond = Math.min(this.#maxPerSecond, 2 ** Math.floor(seconds));
    // Unused capacity is not saved up, except for the delay of one late timer.
    this.#nextAtMs = Math.max(this.#nextAtMs, nowMs - MAX_LATE_MS) + 1_000 / perSecond;
  }
}

/** Node's timers are rarely later than this. */
const MAX_LATE_MS = 50;
