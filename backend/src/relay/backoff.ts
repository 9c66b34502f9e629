/**
 * Computes pauses after failures: exponential with full jitter. Each pause is drawn uniformly between zero and a bound
 * that doubles with each failure, so that many relays do not retry a recovered upstream at the same moment.
 * Source: AWS Architecture Blog, "Exponential Backoff And Jitter".
 */
export class Backoff {
  readonly #minMs: number;
  readonly #maxMs: number;
  readonly #random: () => number;
  #failures = 0;

  constructor(minMs: number, maxMs: number, random: () => number = Math.random) {
    this.#minMs = minMs;
    this.#maxMs = maxMs;
    this.#random = random;
  }

  /** Counts a failure. Returns the pause after it, ms; at least a tenth of the minimum, so that no retry loop spins. */
  nextMs(): number {
    const bound = Math.min(this.#maxMs, this.#minMs * 2 ** this.#failures);
    this.#failures = Math.min(this.#failures + 1, 30);
    return Math.max(this.#minMs / 10, this.#random() * bound);
  }

  /** Makes the next failure start from the minimum again. */
  reset(): void {
    this.#failures = 0;
  }
}
