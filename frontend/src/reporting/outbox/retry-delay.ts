/** Bounds of the delay in ms, the same as between the server and its upstream. */
const MIN_PAUSE_MS = 500;
export const MAX_PAUSE_MS = 60_000;

/**
 * Computes when the tunnel may be tried again. The bound doubles with each failure and the delay is random below it
 * (full jitter), so that many browsers do not return at the same time. A Retry-After is added.
 */
export class RetryDelay {
  readonly #now: () => number;
  readonly #random: () => number;
  #failures = 0;
  #retryAfterUntilMs = 0;
  #untilMs = 0;

  /** `now`: a monotonic clock, in ms. */
  constructor(now: () => number, random: () => number = Math.random) {
    this.#now = now;
    this.#random = random;
  }

  get remainingMs(): number {
    return Math.max(0, this.#untilMs - this.#now());
  }

  failed(retryAfterMs: number | null): void {
    const bound = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** this.#failures);
    this.#failures = Math.min(this.#failures + 1, 30);
    const nowMs = this.#now();
    // At least a tenth of the smallest bound: repeated delays near zero would be a busy loop.
    const guessedMs = Math.max(MIN_PAUSE_MS / 10, this.#random() * bound);
    if (retryAfterMs !== null)
      this.#retryAfterUntilMs = Math.max(this.#retryAfterUntilMs, nowMs + retryAfterMs);
    this.#untilMs = Math.max(nowMs, this.#retryAfterUntilMs) + guessedMs;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#retryAfterUntilMs = 0;
    this.#untilMs = 0;
  }

  /** Drops the computed delay but keeps the Retry-After, when the network or the user is back. */
  forgetDelay(): void {
    this.#failures = 0;
    this.#untilMs = this.#retryAfterUntilMs;
  }
}
