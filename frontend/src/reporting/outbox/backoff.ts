/** Bounds of the backoff, in ms: the same as the server's own towards its upstream. */
const MIN_PAUSE_MS = 500;
export const MAX_PAUSE_MS = 60_000;

/**
 * When the tunnel may be tried again. Guessed pauses double with each failure and are drawn evenly below that bound
 * (full jitter), so that a thousand browsers do not come back at the same moment; what the tunnel asked for
 * (Retry-After) comes on top.
 */
export class Backoff {
  readonly #now: () => number;
  readonly #random: () => number;
  #failures = 0;
  #retryAfterUntilMs = 0;
  #untilMs = 0;

  /** `now`: a clock that nobody sets, in ms. */
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
    // Never under a tenth of the least bound: a draw near zero, again and again, would be a loop.
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

  /** The network or the person came back: what was guessed no longer holds, what was asked for does. */
  forgetBackoff(): void {
    this.#failures = 0;
    this.#untilMs = this.#retryAfterUntilMs;
  }
}
