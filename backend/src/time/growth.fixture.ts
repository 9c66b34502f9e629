/** Limit for the time of an input as a multiple of the time of a quarter of it: linear work has 4, quadratic work 16. */
export const MAX_GROWTH = 9;

const FACTOR = 4;
/** Enough for one round of the quarter that is not lengthened, so that quadratic work does not pass on a busy machine. */
const MIN_ROUNDS = 8;
/**
 * Other processes only lengthen a measurement, so the shortest of the rounds is the true one if a single round was not
 * preempted. That holds only for measurements shorter than a time slice (3 ms and more on Linux): see MAX_CALL_MS.
 */
const MAX_ROUNDS = 60;
/** A measurement lasts at least so long, ms: below it the resolution of the clock decides. */
const MIN_DURATION_MS = 0.3;
/** One call lasts less than this, ms, so that a measurement fits into one time slice. */
const MAX_CALL_MS = 1;
/**
 * No smaller size is measured, unless `maxSize` is smaller: there linear work hides quadratic work. In 2,048 characters of
 * card numbers (linear work of 0.3 ms) a quadratic loop passed.
 */
const LEAST_SIZE = 4_096;
const TRIAL_CALLS = 5;

/**
 * Measures how the duration of `work` grows with its input: the duration for a size divided by that for a quarter of it,
 * each the shortest of several rounds. The size is `maxSize` or, if a call with it takes too long, a half, a quarter, ….
 * Stops measuring when the result is below {@link MAX_GROWTH}.
 */
export function growthOf(maxSize: number, work: (size: number) => void): number {
  const size = shortSize(maxSize, work);
  const long = new Measurement(() => work(size));
  const short = new Measurement(() => work(Math.ceil(size / FACTOR)));
  let growth = Infinity;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    growth = long.shortest() / short.shortest();
    if (round >= MIN_ROUNDS && growth < MAX_GROWTH) break;
  }
  return growth;
}

/**
 * Returns the largest of `maxSize` and its halves, not below LEAST_SIZE, for which a call of `work` is short. Begins with
 * the smallest, so that quadratic work does not cost minutes.
 */
function shortSize(maxSize: number, work: (size: number) => void): number {
  let size = maxSize;
  while (size / 2 >= LEAST_SIZE) size /= 2;
  while (size < maxSize && isShort(() => work(size * 2))) size *= 2;
  return size;
}

/** Tries more than once: the first calls are slow until the engine has compiled them, and others can be preempted. */
function isShort(call: () => void): boolean {
  for (let trial = 0; trial < TRIAL_CALLS; trial += 1) {
    const startedAtMs = performance.now();
    call();
    if (performance.now() - startedAtMs < MAX_CALL_MS) return true;
  }
  return false;
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
