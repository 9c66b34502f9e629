import type { RejectionReason } from './outcome.ts';
import { DAY_MS, isoTime } from '../time/iso.ts';
import { unmovedWallMs } from '../time/monotonic-clock.ts';

/** Period in which rejections are counted, and the steps in which old ones are removed. */
const WINDOW_MS = DAY_MS;
const STEP_MS = 15 * 60_000;

/**
 * Counts the rejections of this process in the last 24 hours by reason, to a quarter of an hour: the console shows
 * them when a search finds no error, because the tunnel may have rejected it.
 */
export class RecentRejections {
  readonly #now: () => number;
  readonly #start: { readonly atMs: number; readonly wallMs: number };
  /** Counts by quarter of an hour since the clock's start, oldest first. */
  readonly #steps = new Map<number, Map<RejectionReason, number>>();

  /** @param now monotonic clock, ms. @param wallMs time of the start, ms since the epoch. */
  constructor(now: () => number = () => performance.now(), wallMs: number = unmovedWallMs()) {
    this.#now = now;
    this.#start = { atMs: now(), wallMs };
  }

  /** Returns the time of the first count while that is less than 24 hours ago, as ISO 8601; null later. */
  get since(): string | null {
    return this.#now() - this.#start.atMs < WINDOW_MS ? isoTime(this.#start.wallMs) : null;
  }

  count(reason: RejectionReason): void {
    const step = Math.floor(this.#now() / STEP_MS);
    const counts = this.#steps.get(step) ?? new Map<RejectionReason, number>();
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
    if (!this.#steps.has(step)) {
      this.#removeOld(step);
      this.#steps.set(step, counts);
    }
  }

  /** Returns the counts, the most frequent reason first. */
  counts(): readonly { readonly reason: RejectionReason; readonly count: number }[] {
    this.#removeOld(Math.floor(this.#now() / STEP_MS));
    const sums = new Map<RejectionReason, number>();
    for (const counts of this.#steps.values()) {
      for (const [reason, count] of counts) sums.set(reason, (sums.get(reason) ?? 0) + count);
    }
    return [...sums].map(([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count);
  }

  #removeOld(now: number): void {
    for (const step of this.#steps.keys()) if (step <= now - WINDOW_MS / STEP_MS) this.#steps.delete(step);
  }
}
