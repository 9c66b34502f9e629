/**
 * Returns milliseconds since the boot of the machine: the same for all its processes, and unaffected when the wall
 * clock is set. Only times of one boot compare.
 */
export function monotonicNowMs(): number {
  return Math.floor(PROCESS_START_MS + performance.now());
}

/** Start of this process by the same clock; read once, as BigInt arithmetic takes longer than `performance.now()`. */
const PROCESS_START_MS = Number(process.hrtime.bigint() / 1_000n) / 1_000 - performance.now();

/**
 * Returns milliseconds since the epoch, by the wall clock at the start of this process plus the monotonic time since
 * then: for absolute times from other systems, such as the end of a rate limit.
 */
export function unmovedWallMs(): number {
  return Math.floor(performance.timeOrigin + performance.now());
}
