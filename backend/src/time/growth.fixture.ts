/** Limit for the time of an input as a multiple of the time of a quarter of it: linear work has 4, quadratic work 16. */
export const MAX_GROWTH = 9;

const FACTOR = 4;
const MIN_ROUNDS = 3;
/** Other processes only lengthen a measurement, so the shortest of enough rounds is right on a busy machine, too. */
const MAX_ROUNDS = 60;
/** A measurement lasts at least so long, ms: below it the resolution of the clock decides. */
const MIN_DURATION_MS = 1;

/**
 * Measures how the duration of `work` grows with its input: the duration for `size` divided by that for a quarter of it,
 * each the shortest of several rounds. Stops measuring when the result is below {@link MAX_GROWTH}.
 */
export function growthOf(size: number, work: (size: number) => void): number {
  const long = new Measurement(() => work(size));
  const short = new Measurement(() => work(Math.ceil(size / FACTOR)));
  let growth = Infinity;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    growth = long.shortest() / short.shortest();
    if (round >= MIN_ROUNDS && growth < MAX_GROWTH) break;
  }
  return growth;
}

class Measurement {
  readonly #work: () => void;
  #repeats = 1;
  #shortestMs = Infinity;

  constructor(work: () => void) {
    this.#work = work;
    while (this.#duration() < MIN_DURATION_MS) this.#repeats *= 2;
  }

  /** Measures again. Returns the shortest duration so far, ms. */
  shortest(): number {
    this.#shortestMs = Math.min(this.#shortestMs, this.#duration() / this.#repeats);
    return this.#shortestMs;
  }

  #duration(): number {
    const startedAtMs = performance.now();
    for (let index = 0; index < this.#repeats; index += 1) this.#work();
    return performance.now() - startedAtMs;
  }
}
