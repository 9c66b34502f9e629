import { Backoff } from './backoff.ts';
import type { FailureScope } from '../sink/sink.ts';

/** So many answers in a row that the DSN is not known or not allowed: it is the DSN, not the envelopes. */
const STRIKES_TO_PAUSE = 5;
/** Failures of an envelope while others are taken; then it is the envelope. A reset may be chance, and again. */
const MAX_TRIES: Readonly<Record<Exclude<FailureScope, 'connection'>, number>> = {
  envelope: 5,
  dsn: 5,
  sink: 20,
};

/** How a sink fares, for metrics and the console. */
export type DispatcherState = 'flowing' | 'failing' | 'paused';

export interface CircuitBreakerOptions {
  readonly backoff: { readonly minMs: number; readonly maxMs: number };
  /** Between two probes of a DSN that its upstream refuses. */
  readonly pauseProbeMs: number;
}

interface Tries {
  /** Fails that counted. */
  count: number;
  /** Envelopes the sink had taken when this one was last tried. */
  takenBefore: number;
}

/**
 * Tells a sink that is down from an envelope it cannot stomach and from a DSN it does not know.
 *
 * An envelope is blamed only for failing while others are taken: when everything fails, the sink is down, and nothing
 * is given up for that. A DSN is blamed when it is refused time after time with nothing taken in between.
 *
 * States: flowing -> failing (pauses grow, one probe at a time) -> flowing; failing -> paused (the DSN is refused; a
 * probe now and then) -> flowing.
 */
export class CircuitBreaker {
  readonly #options: CircuitBreakerOptions;
  readonly #backoff: Backoff;
  readonly #tries = new Map<number, Tries>();
  #taken = 0;
  #strikes = 0;
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
    if (this.#strikes >= STRIKES_TO_PAUSE) return 'paused';
    return this.#backoff.isFailing ? 'failing' : 'flowing';
  }

  /**
   * The sink answered for good for an envelope, so it is up.
   *
   * @param nowMs monotonic clock.
   * @returns how long it was down, ms; 0 where it was not.
   */
  took(id: number, nowMs: number): number {
    this.#taken += 1;
    this.#tries.delete(id);
    this.#strikes = 0;
    this.#backoff.reset();
    this.#pausedUntilMs = 0;
    const downMs = this.#failingSinceMs === undefined ? 0 : nowMs - this.#failingSinceMs;
    this.#failingSinceMs = undefined;
    return downMs;
  }

  /**
   * The sink did not take an envelope.
   *
   * @param scope see {@link Settlement}.
   * @param nowMs monotonic clock.
   * @returns `give_up` where it is the envelope's own fault, else how long to pause, ms.
   */
  failed(id: number, scope: FailureScope, nowMs: number): 'give_up' | number {
    // What was not sent cannot be what its sink does not stomach.
    if (scope !== 'connection' && this.#countTry(id) >= MAX_TRIES[scope]) {
      this.#tries.delete(id);
      return 'give_up';
    }
    this.#failingSinceMs ??= nowMs;
    // Deliveries that were under way together fail together: that is one failure.
    if (nowMs < this.#pausedUntilMs) return this.#pausedUntilMs - nowMs;
    if (scope === 'dsn') this.#strikes += 1;
    const pauseMs = this.#backoff.nextMs();
    const heldMs = this.state === 'paused' ? Math.max(pauseMs, this.#options.pauseProbeMs) : pauseMs;
    this.#pausedUntilMs = nowMs + heldMs;
    return heldMs;
  }

  /** How often this one failed though others were taken since its last try. */
  #countTry(id: number): number {
    const tries = this.#tries.get(id) ?? { count: -1, takenBefore: -1 };
    if (this.#taken !== tries.takenBefore) tries.count += 1;
    tries.takenBefore = this.#taken;
    this.#tries.set(id, tries);
    return tries.count;
  }
}
