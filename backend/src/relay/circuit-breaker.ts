import { Backoff, type BackoffBounds } from './backoff.ts';
import type { FailureScope } from '../sink/sink.ts';

/** Rejections of the DSN in a row after which the DSN is paused: by then the DSN is at fault, not the envelopes. */
const REJECTIONS_TO_PAUSE = 5;
/**
 * Failures in a row, each of which could be the fault of its envelope, after which the sink is at fault. Fewer would let a
 * few bad envelopes of one page stop all deliveries.
 */
const FAILURES_TO_OPEN = 5;

/** State of a sink, as metrics and console show it. */
export type DispatcherState = 'flowing' | 'failing' | 'paused';

const MOVES: Readonly<Record<DispatcherState, readonly DispatcherState[]>> = {
  flowing: ['failing'],
  failing: ['flowing', 'paused'],
  paused: ['flowing'],
};

export interface CircuitBreakerOptions {
  readonly backoff: BackoffBounds;
  /** Interval of the probes of a DSN that its upstream rejects. */
  readonly pauseProbeMs: number;
}

/** A failed delivery. */
interface Failure {
  readonly scope: FailureScope;
  /** Whether the same envelope failed before. */
  readonly isRepeated: boolean;
}

/**
 * Decides whether a sink is down, or its DSN rejected.
 *
 * A lost connection or a failure of the sink shows at once that it is down; failures that may be the envelope's own fault
 * show it after five different envelopes in a row. An envelope that fails again shows nothing about the sink, unless only
 * the sink itself fails, five times in a row.
 *
 * States: flowing -> failing (growing pauses, one probe at a time) -> flowing; failing -> paused (DSN rejected, rare
 * probes) -> flowing.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  readonly #backoff: Backoff;
  #state: DispatcherState = 'flowing';
  #failuresInRow = 0;
  #rejectionsInRow = 0;
  #pausedUntilMs = 0;
  #failingSinceMs: number | undefined;

  /** @param random for the jitter of the pauses. */
  constructor(options: CircuitBreakerOptions, random?: () => number) {
    this.#options = options;
    this.#backoff = new Backoff(options.backoff, random);
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
  succeeded(nowMs: number): number {
    this.#failuresInRow = 0;
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
   * @returns the pause of the sink before the next delivery, ms; 0 if the sink goes on.
   */
  failed({ scope, isRepeated }: Failure, nowMs: number): number {
    if (this.#state === 'flowing' && !this.#showsSinkDown(scope, isRepeated)) return 0;
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

  #showsSinkDown(scope: FailureScope, isRepeated: boolean): boolean {
    // Nothing of the envelope was sent, or the DSN was rejected: the envelope does not matter.
    if (scope === 'connection' || scope === 'dsn') return true;
    if (scope === 'sink' && !isRepeated) return true;
    if (scope !== 'sink' && isRepeated) return false;
    this.#failuresInRow += 1;
    return this.#failuresInRow >= FAILURES_TO_OPEN;
  }

  #moveTo(state: DispatcherState): void {
    if (state === this.#state) return;
    if (!MOVES[this.#state].includes(state)) throw new Error(`circuit breaker: ${this.#state} -> ${state}`);
    this.#state = state;
  }
}
