import type { RejectionReason } from './outcome.ts';

/** How far back refusals are counted, and in which steps they are forgotten. */
const WINDOW_MS = 24 * 3_600_000;
const STEP_MS = 15 * 60_000;

/**
 * What the tunnel refused in the last 24 hours of this process, by reason, to a quarter of an hour: so that who does not
 * find an error is told whether it may have been turned away.
 */
export class RecentRejections {
  readonly #now: () => number;
  /** By the number of the quarter of an hour since the clock began, oldest first. */
  readonly #steps = new Map<number, Map<RejectionReason, number>>();

  /** @param now clock that nobody sets, ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  count(reason: RejectionReason): void {
    const step = Math.floor(this.#now() / STEP_MS);
    const counts = this.#steps.get(step) ?? new Map<RejectionReason, number>();
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
    if (!this.#steps.has(step)) {
      this.#forget(step);
      this.#steps.set(step, counts);
    }
  }

  /** The most frequent reason first. */
  counts(): readonly { readonly reason: RejectionReason; readonly count: number }[] {
    this.#forget(Math.floor(this.#now() / STEP_MS));
    const sums = new Map<RejectionReason, number>();
    for (const counts of this.#steps.values()) {
      for (const [reason, count] of counts) sums.set(reason, (sums.get(reason) ?? 0) + count);
    }
    return [...sums].map(([reason, count]) => ({ reason, count })).toSorted((a, b) => b.count - a.count);
  }

  #forget(now: number): void {
    for (const step of this.#steps.keys()) if (step <= now - WINDOW_MS / STEP_MS) this.#steps.delete(step);
  }
}
