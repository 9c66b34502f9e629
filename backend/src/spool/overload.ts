import type { PendingWork } from './group-commit.ts';

/** Fill of the spool from which senders wait for the sinks. */
const WAIT_ABOVE_FILL = 0.9;
/** Longest time between two envelopes that leave while all sinks work: a batch of the store takes a tenth of it. */
const MAX_PAUSE_MS = 1_000;
/** Envelopes that may always wait: a commit of them takes milliseconds. */
const MIN_WAITING = 64;

/** The spool before a commit. */
interface SpoolState {
  /** Used share of the cap, 0 to 1. */
  readonly fill: number;
  /** Whether all sinks accept envelopes. */
  readonly canEmpty: boolean;
}

/**
 * Limits the intake to the rate of the sinks while they are slower than the senders.
 *
 * Such a load would fill the spool, which then refuses envelopes. Above 90 % commits take as many as have left the spool,
 * each at least one; others wait for the next. An envelope leaves when its last sink has settled it: an
 * upstream ahead of the store makes no room. Senders wait for two seconds at most, so that a line of more than one second
 * is refused. In an outage, and while none leaves because of rate limits or failed envelopes, a commit takes all, and
 * classes are dropped. One for each commit is up to 100 a second: a sink slower than that lets the spool fill up.
 */
export class Overload {
  readonly #state: () => SpoolState;
  readonly #nowMs: () => number;
  /** Envelopes that left the spool in the overload, less those that it took: with one more in each commit it would fill up. */
  #room = 0;
  #wasOver = false;
  #freedAtMs = -Infinity;
  /**
   * Envelopes committed in the current second, and in the one before. After a pause that one is long ago: for a second the line
   * may then be longer than its sinks are fast. A limit without it would refuse a burst that they can take.
   */
  #second = { atMs: -Infinity, count: 0, before: 0 };

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

  /** Returns whether one more envelope is refused. @param waiting those that wait for a commit. */
  refuses(waiting: number): boolean {
    return waiting >= Math.max(MIN_WAITING, this.#second.before) && this.#isOver();
  }

  /** Most envelopes that the next commit takes. */
  get most(): number {
    return this.#isOver() ? Math.max(1, this.#room) : Infinity;
  }

  /** Counts a commit that has succeeded. @param freed envelopes that left the spool in it. */
  committed(appends: number, freed: number): void {
    const nowMs = this.#nowMs();
    if (freed > 0) this.#freedAtMs = nowMs;
    // What the first commit above 90 % took is not taken back: below 90 % all senders would come into the line at once.
    this.#room = this.#wasOver ? this.#room + freed - appends : freed;
    this.#wasOver = this.#isOver();
    const { atMs, count, before } = this.#second;
    const hasPassed = nowMs - atMs >= 1_000;
    this.#second = hasPassed
      ? { atMs: nowMs, count: appends, before: count }
      : { atMs, count: count + appends, before };
  }

  #isOver(): boolean {
    const { fill, canEmpty } = this.#state();
    return fill >= WAIT_ABOVE_FILL && canEmpty && this.#nowMs() - this.#freedAtMs < MAX_PAUSE_MS;
  }
}
