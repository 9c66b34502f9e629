import type { FailureScope } from '../sink/sink.ts';
import { type BackoffBounds, backoffMs } from './backoff.ts';

/** When an envelope is given up. */
interface Patience {
  /** Failed tries. */
  readonly tries: number;
  /** Those of them that count against the envelope. */
  readonly counted: number;
}

/**
 * Connections are interrupted by chance, and a service can answer 500 for minutes, so these need many tries; in a quiet
 * application not every one has an accepted envelope before it. The same refusal twice is an answer.
 */
const PATIENCE: Readonly<Record<FailureScope, Patience>> = {
  connection: { tries: Infinity, counted: Infinity },
  sink: { tries: 20, counted: 10 },
  envelope: { tries: 20, counted: 10 },
  refusal: { tries: 2, counted: 2 },
  dsn: { tries: 5, counted: 5 },
};
/** Most failed envelopes in memory, some 1 MB. The oldest one above it counts as untried again. */
const MAX_FAILED = 10_000;

interface FailedEnvelope {
  /** Failed tries, for the pause before the next one. */
  tries: number;
  /** Those that count against the envelope. */
  counted: number;
  /** Envelopes that the sink had accepted at the last try of this one. */
  acceptedBefore: number;
  /** Time of the next try, monotonic clock; Infinity while it is in memory or in flight. */
  dueAtMs: number;
}

const UNTRIED = { tries: 0, counted: 0, acceptedBefore: -1 } as const;

/**
 * Remembers the envelopes that failed at one sink: they wait on the disk, each for its own next try, while others pass.
 *
 * A failure counts against an envelope only if the sink accepted another one since the last try. If every delivery fails,
 * the sink is down and no envelope is given up. A restart forgets all: the tries are counted anew.
 */
export class FailedEnvelopes {
  readonly #bounds: BackoffBounds;
  readonly #random: () => number;
  /** By ID, the least recently failed first. */
  readonly #failed = new Map<number, FailedEnvelope>();
  #accepted = 0;
  /** The first due envelope, if it is known. */
  #first: { readonly id: number; readonly dueAtMs: number } | undefined;

  constructor(bounds: BackoffBounds, random: () => number = Math.random) {
    this.#bounds = bounds;
    this.#random = random;
  }

  has(id: number): boolean {
    return this.#failed.has(id);
  }

  /** Whether a try of this envelope failed; false if it only {@link wait}s. */
  hasFailed(id: number): boolean {
    return (this.#failed.get(id)?.tries ?? 0) > 0;
  }

  ids(): readonly number[] {
    return [...this.#failed.keys()];
  }

  /** Records that the sink accepted an envelope. */
  accepted(id: number): void {
    this.#accepted += 1;
    this.forget(id);
  }

  /**
   * Records a failed try.
   *
   * @param nowMs monotonic clock.
   * @returns whether the envelope itself causes the failures, so that it is given up.
   */
  failed(id: number, scope: FailureScope, retryAfterMs: number | null, nowMs: number): 'give_up' | 'wait' {
    const before = this.#failed.get(id) ?? UNTRIED;
    const isCounted = scope !== 'connection' && before.acceptedBefore !== this.#accepted;
    const tries = before.tries + 1;
    const counted = before.counted + Number(isCounted);
    this.forget(id);
    if (tries >= PATIENCE[scope].tries && counted >= PATIENCE[scope].counted) return 'give_up';
    const pauseMs = Math.max(backoffMs(tries, this.#bounds, this.#random), retryAfterMs ?? 0);
    this.#add(id, { tries, counted, acceptedBefore: this.#accepted, dueAtMs: nowMs + pauseMs });
    return 'wait';
  }

  /** Lets an envelope wait until a time, monotonic clock, without a failed try. */
  wait(id: number, dueAtMs: number): void {
    const before = this.#failed.get(id) ?? UNTRIED;
    this.forget(id);
    this.#add(id, { ...before, dueAtMs });
  }

  /** Forgets an envelope that has left the spool. */
  forget(id: number): void {
    if (this.#failed.delete(id) && this.#first?.id === id) this.#first = undefined;
  }

  /** Forgets the least recently failed envelope if there are too many. Returns its ID: it is to be read as untried. */
  trim(): number | undefined {
    if (this.#failed.size <= MAX_FAILED) return undefined;
    const [oldest] = this.#failed.keys();
    if (oldest !== undefined) this.forget(oldest);
    return oldest;
  }

  /** Returns the waiting envelope whose next try comes first. */
  next(): { readonly id: number; readonly dueAtMs: number } | undefined {
    if (this.#first !== undefined) return this.#first;
    for (const [id, { dueAtMs }] of this.#failed) {
      if (dueAtMs < (this.#first?.dueAtMs ?? Infinity)) this.#first = { id, dueAtMs };
    }
    return this.#first;
  }

  /** Takes an envelope for its next try: it is not due again before {@link failed}, {@link wait} or {@link putBack}. */
  take(id: number): void {
    this.#setDue(id, Infinity);
  }

  /** Makes an envelope due that was taken and not tried. */
  putBack(id: number): void {
    this.#setDue(id, 0);
  }

  #setDue(id: number, dueAtMs: number): void {
    const failed = this.#failed.get(id);
    if (failed === undefined) return;
    failed.dueAtMs = dueAtMs;
    this.#first = undefined;
  }

  #add(id: number, failed: FailedEnvelope): void {
    this.#failed.set(id, failed);
    if (this.#first !== undefined && failed.dueAtMs < this.#first.dueAtMs)
      this.#first = { id, dueAtMs: failed.dueAtMs };
  }
}
