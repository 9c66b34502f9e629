/** Time of the longer input as a multiple of the time of the shorter one. Linear work has 4, quadratic work 16. */
export const MAX_GROWTH = 9;

const FACTOR = 4;
const ROUNDS = 7;
/** A measurement lasts at least so long: below it the clock and the scheduler decide. */
const MIN_DURATION_MS = 2;

/**
 * Measures how the duration of `work` grows with its input: the duration for `size` divided by that for a quarter of it,
 * each the shortest of several rounds. A ratio within one run, unlike a duration, is the same on a busy machine.
 */
export function growthOf(size: number, work: (size: number) => void): number {
  const sizes = [Math.ceil(size / FACTOR), size] as const;
  const repeats = sizes.map((each) => repeatsFor(() => work(each)));
  const shortest = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round += 1) {
    sizes.forEach((each, index) => {
      const count = repeats[index] ?? 1;
      const ms = duration(() => work(each), count) / count;
      shortest[index] = Math.min(shortest[index] ?? Infinity, ms);
    });
  }
  return (shortest[1] ?? 0) / (shortest[0] ?? 1);
}

function repeatsFor(work: () => void): number {
  let repeats = 1;
  while (duration(work, repeats) < MIN_DURATION_MS) repeats *= 2;
  return repeats;
}

function duration(work: () => void, repeats: number): number {
  const startedAtMs = performance.now();
  for (let index = 0; index < repeats; index += 1) work();
  return performance.now() - startedAtMs;
}
