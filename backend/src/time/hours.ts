export const HOUR_MS = 3_600_000;

/** Returns the start of the UTC hour that contains a time. */
export function hourOf(timeMs: number): number {
  return timeMs - (timeMs % HOUR_MS);
}
