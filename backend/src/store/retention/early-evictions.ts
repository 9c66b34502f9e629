import { HOUR_MS } from '../../time/iso.ts';

/** Remembers the last events that were deleted for space, before the maximum age: the store is too small, or is flooded. */
export class EarlyEvictions {
  #lastMs = -Infinity;
  #lastEvents = 0;

  count(events: number, nowMs: number): void {
    if (events === 0) return;
    this.#lastMs = nowMs;
    this.#lastEvents = events;
  }

  /** Returns how many it were within the last hour; 0 where it is longer ago. */
  recent(nowMs: number): number {
    return Math.abs(nowMs - this.#lastMs) < HOUR_MS ? this.#lastEvents : 0;
  }
}
