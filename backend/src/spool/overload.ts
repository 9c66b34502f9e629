import type { PendingWork } from './group-commit.ts';

/** Fill of the spool from which senders wait for the sinks. */
const WAIT_ABOVE_FILL = 0.9;
/** Settlements that free the room of one envelope: it has an upstream and the store. */
const SETTLEMENTS_PER_ENVELOPE = 2;
/** Longest time between two settlements of a sink that works: a batch of the store takes a tenth of it. */
const MAX_PAUSE_MS = 1_000;

/** The spool before a commit. */
interface SpoolState {
  /** Used share of the cap, 0 to 1. */
  readonly fill: number;
  /** Whether all sinks accept envelopes. */
  readonly canEmpty: boolean;
}

/**
 * Makes senders wait while they send more than the sinks settle.
 *
 * Such a load would fill the spool, which then refuses envelopes. Above 90 % a commit takes as many as the settlements since
 * the one before have made room for, and at least one: the others get a later 200, at the rate of the sinks. In an outage,
 * and while nothing is settled because of rate limits or failed envelopes, a commit takes all, and classes are dropped.
 */
export class Overload {
  readonly #state: () => SpoolState;
  readonly #nowMs: () => number;
  #settlements = 0;
  #settledAtMs = -Infinity;

  /** @param nowMs monotonic clock. */
  constructor(state: () => SpoolState, nowMs: () => number = () => performance.now()) {
    this.#state = state;
    this.#nowMs = nowMs;
  }

  /** Returns the work to wait for: settlements only, which have a commit of their own after 10 ms at most. */
  waiting(work: PendingWork): PendingWork {
    if (work.appends === 0 || !this.#isOver()) return work;
    return { appends: 0, writes: Math.max(1, work.writes) };
  }

  /** Returns how many envelopes the next commit takes at most. @param settlements those of this commit. */
  appends(settlements: number): number {
    if (settlements > 0) this.#settledAtMs = this.#nowMs();
    if (!this.#isOver()) {
      this.#settlements = 0;
      return Infinity;
    }
    const all = this.#settlements + settlements;
    this.#settlements = all % SETTLEMENTS_PER_ENVELOPE;
    return Math.max(1, Math.floor(all / SETTLEMENTS_PER_ENVELOPE));
  }

  #isOver(): boolean {
    const { fill, canEmpty } = this.#state();
    return fill >= WAIT_ABOVE_FILL && canEmpty && this.#nowMs() - this.#settledAtMs < MAX_PAUSE_MS;
  }
}
