import type { FailureScope } from '../sink/sink.ts';
import { type BackoffBounds, backoffMs } from '../time/backoff.ts';

/** Failed tries. */
interface Tries {
  /** All of them. */
  readonly all: number;
  /** Those that count against the envelope. */
  readonly counted: number;
}

/** Tries after which an envelope is given up. */
interface Patience extends Tries {
  /** Whether failures of other scopes count, too. */
  readonly ofAnyScope: boolean;
}

/**
 * Connections are interrupted by chance, and a service can answer 500 for minutes, so these need many tries; in a quiet
 * application not every one has an accepted envelope before it. The same refusal twice is an answer, whatever else failed
 * between. A server in front that works now and then rejects the DSN for any envelope: if it is nine of ten, two in a thousand
 * are given up.
 */
const PATIENCE: Readonly<Record<FailureScope, Patience>> = {
  connection: { all: Infinity, counted: Infinity, ofAnyScope: true },
  sink: { all: 20, counted: 10, ofAnyScope: true },
  envelope: { all: 20, counted: 10, ofAnyScope: true },
  page: { all: 20, counted: 10, ofAnyScope: true },
  refusal: { all: 2, counted: 2, ofAnyScope: false },
  dsn: { all: 60, counted: 30, ofAnyScope: false },
};
/**
 * Longest pause between two probes of a sink that answers, but accepts nothing: it is up, so that a probe costs it no more
 * than any envelope, and what waits is delivered soon after the repair.
 */
export const LONGEST_PROBE_PAUSE_MS = 10_000;
/** Longest pause after a rejection of the DSN beside accepted envelopes: it does not concern this one more than others. */
const LONGEST_REJECTED_PAUSE_MS = 2_000;
/** Most failed envelopes in memory, some 2 MB. */
const MAX_FAILED = 10_000;
/** Forgotten ones are read again when no more than so many are left: each of them may fail again. */
const ROOM_FOR_FORGOTTEN = 9_000;
/** From here on a refused type must not wait: it would push out errors. */
const CROWDED = 5_000;

interface FailedEnvelope {
  /** For the pause before the next try, and for scopes that count any failure. */
  readonly tries: Tries;
  readonly byScope: Readonly<Partial<Record<FailureScope, Tries>>>;
  /** Envelopes that the sink had accepted at the last try of this one. */
  readonly acceptedBefore: number;
  /** Time of the next try, monotonic clock; Infinity while it is in memory or in flight. */
  dueAtMs: number;
}

const NONE: Tries = { all: 0, counted: 0 };
const UNTRIED = { tries: NONE, byScope: {}, acceptedBefore: -1 } as const;

/**
 * Remembers the envelopes that failed at one sink: they wait on the disk, each for its own next try, while others pass.
 *
 * A failure counts against an envelope only if the sink accepted another one since the last try, or if it refuses its sender
 * only. If every delivery fails, the sink is down and no envelope is given up. A restart forgets all: the tries are counted anew.
 */
export class FailedEnvelopes {
  readonly #bounds: BackoffBounds;
  readonly #random: () => number;
  /** By ID, the least recently failed first. */
  readonly #failed = new Map<number, FailedEnvelope>();
  #forgottenFromId: number | undefined;
  /** Those whose last failure does not count: nothing was accepted since the one before. */
  readonly #inVain = new Set<number>();
  #accepted = 0;
  /** The first due envelope, if it is known. */
  #first: { readonly id: number; readonly dueAtMs: number } | undefined;

  constructor(bounds: BackoffBounds, random: () => number = Math.random) {
    this.#bounds = bounds;
    this.#random = random;
  }

  get size(): number {
    return this.#failed.size;
  }

  has(id: number): boolean {
    return this.#failed.has(id);
  }

  /** Whether a try of this envelope failed; false if it only {@link wait}s. */
  hasFailed(id: number): boolean {
    return (this.#failed.get(id)?.tries.all ?? 0) > 0;
  }

  /** Whether a further envelope pushes out the one that failed longest ago. */
  get isFull(): boolean {
    return this.#failed.size >= MAX_FAILED;
  }

  /** Whether there is room for errors only. */
  get isCrowded(): boolean {
    return this.#failed.size >= CROWDED;
  }

  ids(): readonly number[] {
    return [...this.#failed.keys()];
  }

  /** Records that the sink accepted an envelope: those that failed in vain until now are due. */
  accepted(id: number): void {
    this.#accepted += 1;
    this.forget(id);
    for (const waiting of this.#inVain)
      if (this.#failed.get(waiting)?.dueAtMs !== Infinity) this.putBack(waiting);
    this.#inVain.clear();
  }

  /**
   * Records a failed try.
   *
   * @param nowMs monotonic clock.
   * @param isOwnFault whether it counts in any case: the sender is known for what the sink refuses.
   * @returns whether the envelope itself causes the failures, so that it is given up.
   */
  failed(
    id: number,
    scope: FailureScope,
    retryAfterMs: number | null,
    nowMs: number,
    isOwnFault = false,
  ): 'give_up' | 'wait' {
    const before: Omit<FailedEnvelope, 'dueAtMs'> = this.#failed.get(id) ?? UNTRIED;
    const isCounted = isOwnFault || before.acceptedBefore !== this.#accepted;
    const counted = Number(scope !== 'connection' && isCounted);
    const tries = oneMore(before.tries, counted);
    const ofScope = oneMore(before.byScope[scope] ?? NONE, counted);
    this.forget(id);
    const patience = PATIENCE[scope];
    const made = patience.ofAnyScope ? tries : ofScope;
    if (made.all >= patience.all && made.counted >= patience.counted) return 'give_up';
    const pauseMs = Math.max(this.#pauseMs(tries.all, scope, isCounted), retryAfterMs ?? 0);
    const byScope = { ...before.byScope, [scope]: ofScope };
    this.#add(id, { tries, byScope, acceptedBefore: this.#accepted, dueAtMs: nowMs + pauseMs });
    if (!isCounted) this.#inVain.add(id);
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
    this.#inVain.delete(id);
    if (this.#failed.delete(id) && this.#first?.id === id) this.#first = undefined;
  }

  /**
   * Returns the lowest ID of the envelopes that were forgotten because there were too many, once there is room for them:
   * they are then to be read as untried. Read at once they would fail, push others out, and be sent without a pause.
   */
  takeForgotten(): number | undefined {
    if (this.#failed.size > ROOM_FOR_FORGOTTEN) return undefined;
    const fromId = this.#forgottenFromId;
    this.#forgottenFromId = undefined;
    return fromId;
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

  /** Makes all envelopes due, but for those that were taken. */
  putAllBack(): void {
    for (const failed of this.#failed.values()) if (failed.dueAtMs !== Infinity) failed.dueAtMs = 0;
    this.#first = undefined;
  }

  #setDue(id: number, dueAtMs: number): void {
    const failed = this.#failed.get(id);
    if (failed === undefined) return;
    failed.dueAtMs = dueAtMs;
    this.#first = undefined;
  }

  #add(id: number, failed: FailedEnvelope): void {
    const [oldest] = this.#failed.keys();
    if (this.isFull && oldest !== undefined) {
      this.forget(oldest);
      this.#forgottenFromId = Math.min(this.#forgottenFromId ?? oldest, oldest);
    }
    this.#failed.set(id, failed);
    if (this.#first !== undefined && failed.dueAtMs < this.#first.dueAtMs)
      this.#first = { id, dueAtMs: failed.dueAtMs };
  }

  /** Returns the pause after so many failures, ms. While nothing is accepted, all of them together ask as often as a probe. */
  #pauseMs(failures: number, scope: FailureScope, isCounted: boolean): number {
    const { minMs, maxMs } = this.#bounds;
    const ofScopeMs = scope === 'dsn' ? LONGEST_REJECTED_PAUSE_MS : Infinity;
    const togetherMs = isCounted ? Infinity : LONGEST_PROBE_PAUSE_MS * (this.#failed.size + 1);
    return backoffMs(failures, { minMs, maxMs: Math.min(maxMs, ofScopeMs, togetherMs) }, this.#random);
  }
}

function oneMore({ all, counted }: Tries, isCounted: number): Tries {
  return { all: all + 1, counted: counted + isCounted };
}
