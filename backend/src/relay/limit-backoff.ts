import type { RateLimit } from '../envelope/rate-limits.ts';
import { RecentMap } from '../time/recent-map.ts';
import { type BackoffBounds, backoffMs } from '../time/backoff.ts';
import { concernItems } from './limited-items.ts';

/** Shortest wait after a 429: an upstream that names zero seconds would be asked thousands of times a second. */
const MIN_WAIT_MS = 1_000;
/** Most limited lists of categories in memory; Sentry names a few. The oldest one above it begins anew. */
const MAX_STREAKS = 64;

/** 429s in a row for one list of categories. */
interface Streak {
  readonly limit: RateLimit;
  readonly count: number;
}

/** Extends the limits of 429s in a row: an upstream that goes on refusing is asked more and more rarely. */
export class LimitBackoff {
  readonly #bounds: BackoffBounds;
  readonly #random: () => number;
  /** By the limited categories. */
  readonly #streaks = new RecentMap<string, Streak>(MAX_STREAKS);

  constructor(bounds: BackoffBounds, random: () => number = Math.random) {
    this.#bounds = bounds;
    this.#random = random;
  }

  /**
   * Returns the limits of a 429, each as long as its upstream wants, as this process backs off, and one second, whichever
   * is the longest. Concurrent requests count as one.
   *
   * @param nowMs wall clock, as in the limits.
   */
  limited(limits: readonly RateLimit[], nowMs: number): readonly RateLimit[] {
    return limits.map((limit) => {
      const key = limit.categories.join();
      const before = this.#streaks.get(key);
      const isConcurrent = before !== undefined && before.limit.untilMs > nowMs;
      const count = (before?.count ?? 0) + Number(!isConcurrent);
      const waitMs = isConcurrent
        ? before.limit.untilMs - nowMs
        : Math.max(MIN_WAIT_MS, backoffMs(count, this.#bounds, this.#random));
      // Whole milliseconds, as the spool stores them.
      const extended = { ...limit, untilMs: Math.ceil(Math.max(limit.untilMs, nowMs + waitMs)) };
      this.#streaks.set(key, { limit: extended, count });
      return extended;
    });
  }

  /** Ends the streaks of the categories that the upstream accepted. */
  accepted(items: Uint8Array): void {
    for (const [key, { limit }] of this.#streaks) {
      if (concernItems([limit], items)) this.#streaks.delete(key);
    }
  }
}
