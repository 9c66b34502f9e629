import { HOUR_MS } from '../../time/iso.ts';

/**
 * Remembers the last events and feedback that were deleted for space, before the maximum age: the store is too small, or is
 * flooded.
 */
export class EarlyEvictions {
  #lastMs = -Infinity;
  #lastRows = 0;

  count(rows: number, nowMs: number): void {
    if (rows === 0) return;
    this.#lastMs = nowMs;
    this.#lastRows = rows;
  }

  /** Returns how many it were within the last hour; 0 where it is longer ago. */
  recent(nowMs: number): number {
    return Math.abs(nowMs - this.#lastMs) < HOUR_MS ? this.#lastRows : 0;
  }
}
