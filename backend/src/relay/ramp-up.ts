/**
 * How fast the backlog of an outage is sent: one envelope in the first second, then twice as many each second, up to
 * a maximum. An upstream that has just come back is not knocked over by everybody who waited for it.
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

  /** How long the next one has to wait, ms; 0: it may go now, and is counted as gone with {@link sent}. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.#nextAtMs - nowMs);
  }

  sent(nowMs: number): void {
    const seconds = (nowMs - this.#startedAtMs) / 1_000;
    const perSecond = Math.min(this.#maxPerSecond, 2 ** Math.floor(seconds));
    // What was not used is not saved up, but for what one late timer costs.
    this.#nextAtMs = Math.max(this.#nextAtMs, nowMs - MAX_LATE_MS) + 1_000 / perSecond;
  }
}

/** A timer of Node is seldom later. */
const MAX_LATE_MS = 50;
