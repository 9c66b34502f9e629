/** Limit for the time of an input as a multiple of the time of a quarter of it: linear work has 4, quadratic work 16. */
export const MAX_GROWTH = 9;

const FACTOR = 4;
/** A measurement lasts at least so long, ms. */
const MIN_DURATION_MS = 5;
/** The first measurements are longer than the others: the engine has not yet compiled the functions. */
const MAX_ROUNDS = 10;

/**
 * Measures how the processor time of `work` grows with its input: the time for `size` divided by that for a quarter of
 * it, each the shortest of the rounds so far. Stops when the result is below {@link MAX_GROWTH}. It is processor time of
 * this thread, so that other processes do not count.
 *
 * @param size - In characters. Some thousands, where the function takes them: in few characters linear work hides
 * quadratic work.
 */
export function growthOf(size: number, work: (size: number) => void): number {
  return ratioOf(
    () => work(size),
    () => work(Math.ceil(size / FACTOR)),
    MAX_GROWTH,
  );
}

/** Limit for the time of hostile text as a multiple of the time of plain text of the same size. */
export const MAX_COST = 20;

/** Measures the processor time of hostile work as a multiple of that of plain work, in the way of {@link growthOf}. */
export function costOf(hostile: () => void, plain: () => void): number {
  return ratioOf(hostile, plain, MAX_COST);
}

/** Returns the time of `long` divided by that of `short`, each the shortest so far. Stops below `limit`. */
function ratioOf(long: () => void, short: () => void, limit: number): number {
  let [longMs, shortMs] = [Infinity, Infinity];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    longMs = Math.min(longMs, durationOf(long));
    shortMs = Math.min(shortMs, durationOf(short));
    if (longMs / shortMs < limit) break;
  }
  return longMs / shortMs;
}

/** @returns processor time of this thread for one call, ms. Doubles the number of calls until they last long enough. */
function durationOf(call: () => void): number {
  for (let calls = 1; ; calls *= 2) {
    const startedAtMs = threadMs();
    for (let index = 0; index < calls; index += 1) call();
    const durationMs = threadMs() - startedAtMs;
    if (durationMs >= MIN_DURATION_MS) return durationMs / calls;
  }
}

/**
 * Linux brings the processor time of a thread up to date at each tick of its clock (4 ms), but at once for a call for the
 * time of the process. Without that call a measurement would have to last 40 ms, to be wrong by a tenth at most.
 */
function threadMs(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
