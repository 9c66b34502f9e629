import { HOUR_MS } from '../../time/iso.ts';

/** Remembers when events were last deleted for space, before the maximum age: the store is too small, or is flooded. */
export class EarlyEvictions {
  #lastMs = -Infinity;

  count(events: number, nowMs: number): void {
    if (events > 0) this.#lastMs = nowMs;
  }

  /** Returns whether it was within the last hour. */
  isRecent(nowMs: number): boolean {
    return Math.abs(nowMs - this.#lastMs) < HOUR_MS;
  }
}
