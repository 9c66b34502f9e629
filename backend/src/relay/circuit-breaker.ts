import type { DsnRejections, SinkState } from '../contract/delivery-api.ts';
import type { Settlement } from '../sink/sink.ts';
import { Backoff, type BackoffBounds } from '../time/backoff.ts';
import { LONGEST_PROBE_PAUSE_MS } from './failed-envelopes.ts';
import { type Classified, type FailureOfKind, isOfAll, RefusedKinds } from './refused-kinds.ts';

/** Rejections of the DSN in a row after which the DSN is paused: by then the DSN is at fault, not the envelopes. */
const REJECTIONS_TO_PAUSE = 5;
/**
 * Failures in a row, each of which could be the fault of its envelope, after which the sink is at fault. Fewer would let a
 * few bad envelopes of one page stop all deliveries.
 */
const FAILURES_TO_OPEN = 5;

const MOVES: Readonly<Record<SinkState, readonly SinkState[]>> = {
  flowing: ['failing'],
  failing: ['flowing', 'paused'],
  paused: ['flowing'],
};

const NO_REJECTIONS: DsnRejections = { times: 0, status: null };

export interface CircuitBreakerOptions {
  readonly backoff: BackoffBounds;
  /** Interval of the probes of a DSN that its upstream rejects. */
  readonly pauseProbeMs: number;
}

/** A failed delivery. */
export interface Failure
  extends
    FailureOfKind,
    Pick<Extract<Settlement, { outcome: 'retry' }>, 'reason' | 'status' | 'retryAfterMs'> {}

/** State of a sink, for operators. */
export interface SinkHealth {
  readonly state: SinkState;
  /** Code of the failure: `dsn_rejected`, `timeout`, `status_503`, `unexpected_answer`, …; null without `sinceMs`. */
  readonly reason: string | null;
  /**
   * Time of the first failure since the last accepted envelope, wall clock. Absent without one. While `state` is `flowing`,
   * few envelopes have failed: they may be at fault.
   */
  readonly sinceMs?: number;
  /** Time of the next attempt, wall clock. Absent while `state` is `flowing` and while an attempt is in flight. */
  readonly nextAttemptMs?: number;
  /** Rejections of the DSN in a row. Absent unless `state` is `paused`. */
  readonly rejections?: DsnRejections;
}

/**
 * Decides whether a sink is down, or its DSN rejected, and until when it is not tried.
 *
 * A lost connection or a failure of the sink shows at once that it is down; failures that may be the envelope's own fault
 * show it after five different envelopes in a row. An envelope that fails again shows nothing about the sink, unless only
 * the sink itself fails or its DSN is rejected, five times in a row; nor does a kind of envelopes that is refused while others
 * are accepted, nor any refusal (400, 413) until a minute after an accepted envelope. A minute after it, one rejection of the DSN
 * is enough, and the DSN is paused after five. After refusals, an envelope of a kind that was not refused need
 * not wait for the end of the pause.
 *
 * States: flowing -> failing (growing pauses, one probe at a time) -> flowing; failing -> paused (DSN rejected, rare
 * probes) -> flowing.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  readonly #backoff: Backoff;
  #state: SinkState = 'flowing';
  #failuresInRow = 0;
  #rejections: DsnRejections = NO_REJECTIONS;
  #reason: string | null = null;
  /** Until then, failures belong to the one that was counted last. */
  #countsFromMs = 0;
  #pausedUntilMs = 0;
  #failingSinceMs: number | undefined;
  /** Time of the first failure since the sink accepted an envelope while few others waited after a failure. */
  #failedSinceMs: number | undefined;
  /** Whether the last failure concerned all envelopes: no answer, or one of a sink that is down. */
  #isDown = false;
  /** The kinds of envelopes that the sink refuses. */
  readonly kinds = new RefusedKinds();

  /** @param random for the jitter of the pauses. */
  constructor(options: CircuitBreakerOptions, random?: () => number) {
    this.#options = options;
    this.#backoff = new Backoff(options.backoff, random);
  }

  get state(): SinkState {
    return this.#state;
  }

  /** End of the pause, monotonic clock; in the past without one. */
  get pausedUntilMs(): number {
    return this.#pausedUntilMs;
  }

  /** @param nowMs monotonic clock. @param wallMs wall clock. @param isWaiting whether an envelope waits for the sink. */
  health(nowMs: number, wallMs: number, isWaiting = true): SinkHealth {
    const sinceMs = this.#failedSinceMs;
    if (sinceMs === undefined || (this.#state === 'flowing' && !isWaiting))
      return { state: this.#state, reason: null };
    const isPaused = this.#state === 'paused';
    const leftMs = this.#pausedUntilMs - nowMs;
    return {
      state: this.#state,
      reason: isPaused ? 'dsn_rejected' : this.#reason,
      sinceMs: wallMs - (nowMs - sinceMs),
      ...(leftMs > 0 && { nextAttemptMs: wallMs + leftMs }),
      ...(isPaused && { rejections: this.#rejections }),
    };
  }

  /** Whether an envelope may be sent at present, in a pause, too: its kind is not the one that is refused. */
  maySend(envelope: Classified): boolean {
    return this.#state === 'flowing' || (!this.#isDown && !this.kinds.has(envelope));
  }

  /**
   * Records a final response to an envelope, accepted or refused: the sink is up.
   *
   * @param nowMs monotonic clock.
   * @param accepted the envelope that the sink accepted, if it did.
   * @param failed number of envelopes that wait after a failure: a sink that accepts one in twenty does not work.
   * @returns how long the sink was down, ms; 0 if it was not.
   */
  succeeded(nowMs: number, accepted?: Classified, failed = 0): number {
    if (accepted !== undefined) this.kinds.accepted(accepted, nowMs);
    this.#failuresInRow = 0;
    if (accepted === undefined || failed < FAILURES_TO_OPEN) this.#failedSinceMs = undefined;
    if (this.#state === 'flowing') return 0;
    this.#rejections = NO_REJECTIONS;
    this.#isDown = false;
    this.#backoff.reset();
    this.#countsFromMs = 0;
    this.#pausedUntilMs = 0;
    this.#moveTo('flowing');
    const downMs = nowMs - (this.#failingSinceMs ?? nowMs);
    this.#failingSinceMs = undefined;
    return downMs;
  }

  /**
   * Records a failed delivery.
   *
   * @param nowMs monotonic clock.
   * @returns the pause of the sink before the next delivery, ms; 0 if the sink goes on.
   */
  failed(failure: Failure, nowMs: number): number {
    const { scope, reason, status, retryAfterMs } = failure;
    this.#reason = reason;
    if (scope === 'dsn') this.#rejections = { ...this.#rejections, status: status ?? null };
    this.kinds.refused(failure);
    this.#failedSinceMs ??= nowMs;
    if (this.#state === 'flowing' && !this.#showsSinkDown(failure, nowMs)) return 0;
    // What comes back in the pause was sent before it.
    if (isOfAll(scope) || nowMs >= this.#pausedUntilMs) this.#isDown = isOfAll(scope);
    this.#failingSinceMs ??= nowMs;
    // Concurrent deliveries fail together and count as one failure.
    if (nowMs >= this.#countsFromMs) this.#countsFromMs = nowMs + this.#count(scope, nowMs);
    return this.pause(Math.max(this.#countsFromMs - nowMs, retryAfterMs ?? 0), nowMs);
  }

  /**
   * Makes a pause of at least `pauseMs`.
   *
   * @param nowMs monotonic clock.
   * @returns the rest of the pause, ms: an earlier one may be longer.
   */
  pause(pauseMs: number, nowMs: number): number {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, nowMs + pauseMs);
    return this.#pausedUntilMs - nowMs;
  }

  /** Ends a pause early. The sink stays as it is: its next failure makes the next, longer pause. */
  endPause(): void {
    this.#pausedUntilMs = 0;
    this.#countsFromMs = 0;
  }

  /** Counts a failure that shows the sink down. Returns the pause after it, ms. */
  #count(scope: Failure['scope'], nowMs: number): number {
    this.#moveTo(this.#state === 'paused' ? 'paused' : 'failing');
    if (scope === 'dsn') this.#rejections = { ...this.#rejections, times: this.#rejections.times + 1 };
    const isAtFault = this.kinds.isDsnRejected && !this.kinds.isUp(nowMs);
    if (this.#rejections.times >= REJECTIONS_TO_PAUSE && isAtFault) this.#moveTo('paused');
    const backoffMs = this.#backoff.nextMs(isOfAll(scope) ? Infinity : LONGEST_PROBE_PAUSE_MS);
    return this.#state === 'paused' ? Math.max(backoffMs, this.#options.pauseProbeMs) : backoffMs;
  }

  #showsSinkDown({ scope, isRepeated, envelope }: Failure, nowMs: number): boolean {
    // Nothing of the envelope was sent: it does not matter.
    if (scope === 'connection' || (scope === 'sink' && !isRepeated)) return true;
    if (scope !== 'sink' && this.kinds.isAlone(envelope, nowMs)) return false;
    // It has read the envelope, and works.
    if (scope === 'refusal' && (this.kinds.isUp(nowMs) || this.kinds.isOfBadSender(envelope))) return false;
    // A server in front of a sink that works may reject by chance.
    if (scope === 'dsn' && !this.kinds.isUp(nowMs)) return true;
    if (scope !== 'sink' && scope !== 'dsn' && isRepeated) return false;
    this.#failuresInRow += 1;
    return this.#failuresInRow >= FAILURES_TO_OPEN;
  }

  #moveTo(state: SinkState): void {
    if (state === this.#state) return;
    if (!MOVES[this.#state].includes(state)) throw new Error(`circuit breaker: ${this.#state} -> ${state}`);
    this.#state = state;
  }
}
