/** Bounds of a pause, ms. */
export interface BackoffBounds {
  readonly minMs: number;
  readonly maxMs: number;
}

/**
 * Returns the pause after a number of failures in a row, ms: exponential with full jitter. It is drawn uniformly between
 * zero and a bound that doubles with each failure, so that requests that failed together do not reach a recovered server
 * at the same moment; at least a tenth of the minimum, so that no retry loop spins.
 * Source: AWS Architecture Blog, "Exponential Backoff And Jitter".
 *
 * @param failures at least 1.
 */
export function backoffMs(failures: number, { minMs, maxMs }: BackoffBounds, random: () => number): number {
  const bound = Math.min(maxMs, minMs * 2 ** Math.min(failures - 1, MAX_DOUBLINGS));
  return Math.max(minMs / 10, random() * bound);
}

/** Any bound is reached by then, and larger powers would lose their precision. */
const MAX_DOUBLINGS = 30;

/** Computes the pauses after failures in a row. */
export class Backoff {
  readonly #bounds: BackoffBounds;
  readonly #random: () => number;
  #failures = 0;

  constructor(bounds: BackoffBounds, random: () => number = Math.random) {
    this.#bounds = bounds;
    this.#random = random;
  }

  /** Counts a failure. Returns the pause after it, ms. @param longestMs bound of this pause beside the one of all. */
  nextMs(longestMs = Infinity): number {
    const { minMs, maxMs } = this.#bounds;
    this.#failures += 1;
    return backoffMs(this.#failures, { minMs, maxMs: Math.min(maxMs, longestMs) }, this.#random);
  }

  /** Makes the next failure start from the minimum again. */
  reset(): void {
    this.#failures = 0;
  }
}
