import { Backoff } from './backoff.ts';
import type { FailureScope } from '../sink/sink.ts';

/** Rejections of the DSN in a row after which the DSN is paused: by then the DSN is at fault, not the envelopes. */
const REJECTIONS_TO_PAUSE = 5;
/**
 * Failed tries of one envelope, while others were accepted, after which it is given up. The limit for the scope `sink`
 * is higher, because an interrupted connection can be chance several times in a row.
 */
const MAX_TRIES: Readonly<Record<Exclude<FailureScope, 'connection'>, number>> = {
  envelope: 5,
  dsn: 5,
  sink: 20,
  refusal: 2,
};

/** State of a sink, as metrics and console show it. */
export type DispatcherState = 'flowing' | 'failing' | 'paused';

const MOVES: Readonly<Record<DispatcherState, readonly DispatcherState[]>> = {
  flowing: ['failing'],
  failing: ['flowing', 'paused'],
  paused: ['flowing'],
};

export interface CircuitBreakerOptions {
  readonly backoff: { readonly minMs: number; readonly maxMs: number };
  /** Interval of the probes of a DSN that its upstream rejects. */
  readonly pauseProbeMs: number;
}

interface FailedTries {
  /** Failures that counted against the envelope. */
  count: number;
  /** Envelopes the sink had accepted at the last try of this one. */
  acceptedBefore: number;
}

/**
 * Classifies failures: sink down, poison envelope, rejected DSN.
 *
 * A failure counts against an envelope only if the sink accepted another one since the envelope's last try. If every
 * delivery fails, the sink is down and no envelope is given up. A DSN counts as rejected after several rejections in a
 * row.
 *
 * States: flowing -> failing (growing pauses, one probe at a time) -> flowing; failing -> paused (DSN rejected, rare
 * probes) -> flowing.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  readonly #backoff: Backoff;
  readonly #tries = new Map<number, FailedTries>();
  #state: DispatcherState = 'flowing';
  #accepted = 0;
  #rejectionsInRow = 0;
  #pausedUntilMs = 0;
  #failingSinceMs: number | undefined;

  constructor(
    options: CircuitBreakerOptions,
    backoff = new Backoff(options.backoff.minMs, options.backoff.maxMs),
  ) {
    this.#options = options;
    this.#backoff = backoff;
  }

  get state(): DispatcherState {
    return this.#state;
  }

  /** Rejections of the DSN since the last accepted envelope. */
  get rejectionsInRow(): number {
    return this.#rejectionsInRow;
  }

  /**
   * Records a final response to an envelope, accepted or refused: the sink is up.
   *
   * @param nowMs monotonic clock.
   * @returns how long the sink was down, ms; 0 if it was not.
   */
  succeeded(id: number, nowMs: number): number {
    this.#accepted += 1;
    this.#tries.delete(id);
    this.#rejectionsInRow = 0;
    this.#backoff.reset();
    this.#pausedUntilMs = 0;
    this.#moveTo('flowing');
    const downMs = this.#failingSinceMs === undefined ? 0 : nowMs - this.#failingSinceMs;
    this.#failingSinceMs = undefined;
    return downMs;
  }

  /**
   * Records a failed delivery.
   *
   * @param nowMs monotonic clock.
   * @returns `give_up` if the envelope itself causes the failures, otherwise the pause before the next delivery, ms.
   */
  failed(id: number, scope: FailureScope, nowMs: number): 'give_up' | number {
    // An envelope that was not sent cannot be the cause.
    if (scope !== 'connection' && this.#countTry(id) >= MAX_TRIES[scope]) {
      this.#tries.delete(id);
      return 'give_up';
    }
    this.#failingSinceMs ??= nowMs;
    // Concurrent deliveries fail together and count as one failure.
    if (nowMs < this.#pausedUntilMs) return this.#pausedUntilMs - nowMs;
    this.#moveTo(this.#state === 'paused' ? 'paused' : 'failing');
    if (scope === 'dsn') this.#rejectionsInRow += 1;
    if (this.#rejectionsInRow >= REJECTIONS_TO_PAUSE) this.#moveTo('paused');
    const backoffMs = this.#backoff.nextMs();
    const pauseMs = this.#state === 'paused' ? Math.max(backoffMs, this.#options.pauseProbeMs) : backoffMs;
    this.#pausedUntilMs = nowMs + pauseMs;
    return pauseMs;
  }

  /** Returns how often an envelope failed although the sink had accepted others since its previous try. */
  #countTry(id: number): number {
    const tries = this.#tries.get(id) ?? { count: -1, acceptedBefore: -1 };
    if (this.#accepted !== tries.acceptedBefore) tries.count += 1;
    tries.acceptedBefore = this.#accepted;
    this.#tries.set(id, tries);
    return tries.count;
  }

  #moveTo(state: DispatcherState): void {
    if (state === this.#state) return;
    if (!MOVES[this.#state].includes(state)) throw new Error(`circuit breaker: ${this.#state} -> ${state}`);
    this.#state = state;
  }
}
