/**
 * Pauses after failures: exponential with full jitter (each drawn evenly from zero up to the doubled bound), so
 * that many relays whose upstream comes back do not knock at the same moment.
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

  /** The pause after one more failure, in ms; never under a tenth of the least one, so that no loop spins. */
  nextMs(): number {
    const bound = Math.min(this.#maxMs, this.#minMs * 2 ** this.#failures);
    this.#failures = Math.min(this.#failures + 1, 30);
    return Math.max(this.#minMs / 10, this.#random() * bound);
  }

  /** A success: the next failure starts from the least pause again. */
  reset(): void {
    this.#failures = 0;
  }

  get isFailing(): boolean {
    return this.#failures > 0;
  }
}
