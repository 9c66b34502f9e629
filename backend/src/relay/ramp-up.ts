/** Node's timers are rarely later than this. */
const MAX_LATE_MS = 50;
/** Shortest time between two halvings: failures of concurrent deliveries count once. */
const SLOW_AGAIN_MS = 1_000;

/**
 * Limits the rate at which the backlog of an outage is sent: one envelope in the first second, twice as many in each
 * following second, up to a maximum. It keeps a recovered upstream from being overloaded by all waiting relays at once.
 */
export class RampUp {
  readonly #maxPerSecond: number;
  /** Time since which the rate doubles, and the rate at that time, per second. */
  #from: { readonly atMs: number; readonly perSecond: number } | undefined;
  #nextAtMs = 0;

  /** @param maxPerSecond Infinity for no limit at any time. */
  constructor(maxPerSecond: number) {
    this.#maxPerSecond = maxPerSecond;
  }

  get isActive(): boolean {
    return this.#from !== undefined;
  }

  /** Begins with one envelope a second. @param nowMs monotonic clock. */
  start(nowMs: number): void {
    if (!Number.isFinite(this.#maxPerSecond)) return;
    this.#from = { atMs: nowMs, perSecond: 1 };
    this.#nextAtMs = nowMs;
  }

  /** The backlog is sent. */
  end(): void {
    this.#from = undefined;
  }

  /** Halves the rate, at most once a second: the upstream cannot keep up. */
  slow(nowMs: number): void {
    if (this.#from === undefined || nowMs - this.#from.atMs < SLOW_AGAIN_MS) return;
    this.#from = { atMs: nowMs, perSecond: Math.max(1, this.#perSecond(nowMs) / 2) };
  }

  /** Returns how long the next envelope has to wait, ms. Call {@link sent} for each envelope that is sent. */
  waitMs(nowMs: number): number {
    return Math.max(0, this.#nextAtMs - nowMs);
  }

  sent(nowMs: number): void {
    // Unused capacity is not saved up, except for the delay of one late timer.
    this.#nextAtMs = Math.max(this.#nextAtMs, nowMs - MAX_LATE_MS) + 1_000 / this.#perSecond(nowMs);
  }

  #perSecond(nowMs: number): number {
    if (this.#from === undefined) return this.#maxPerSecond;
    const seconds = (nowMs - this.#from.atMs) / 1_000;
    return Math.min(this.#maxPerSecond, this.#from.perSecond * 2 ** Math.floor(seconds));
  }
}
