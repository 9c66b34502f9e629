/**
 * Milliseconds since the machine was started: the same for all its processes, and not moved when somebody sets the
 * wall clock. Only times of one boot compare.
 */
export function monotonicNowMs(): number {
  return Math.floor(PROCESS_START_MS + performance.now());
}

/** By the same clock; read once, as numbers of this size cost more than the clock itself. */
const PROCESS_START_MS = Number(process.hrtime.bigint() / 1_000n) / 1_000 - performance.now();

/**
 * Milliseconds since the epoch as the wall clock had it when this process began, and steady from then on: for times
 * that come from outside in the wall clock's terms, such as the end of a rate limit.
 */
export function unmovedWallMs(): number {
  return Math.floor(performance.timeOrigin + performance.now());
}
