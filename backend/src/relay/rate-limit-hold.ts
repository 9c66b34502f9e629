import { DAY_MS } from '../time/iso.ts';

/** Shortest time between two checks of held envelopes: a limit that has just ended must not cause a busy loop. */
const MIN_DELAY_MS = 100;
/** Longest timer: Node fires timers above 24.8 days immediately. */
const MAX_DELAY_MS = DAY_MS;

/**
 * Remembers which envelopes a rate limit holds and when the first of the limits ends. Held envelopes wait on the disk,
 * so their lowest ID is enough to find them again.
 */
export class RateLimitHold {
  #fromId: number | undefined;
  #untilMs: number | undefined;

  /**
   * Adds an envelope.
   *
   * @param untilMs end of its limit; same clock as `nowMs`.
   * @returns delay after which to {@link end} the hold, ms; undefined if an earlier delay is already running.
   */
  add(id: number, untilMs: number, nowMs: number): number | undefined {
    this.#fromId = Math.min(this.#fromId ?? id, id);
    if (this.#untilMs !== undefined && this.#untilMs <= untilMs) return undefined;
    this.#untilMs = untilMs;
    return Math.min(Math.max(untilMs - nowMs, MIN_DELAY_MS), MAX_DELAY_MS);
  }

  /** Ends the hold: envelopes that are still limited are added again. Returns the lowest held ID, if there is one. */
  end(): number | undefined {
    const fromId = this.#fromId;
    this.#fromId = undefined;
    this.#untilMs = undefined;
    return fromId;
  }
}
