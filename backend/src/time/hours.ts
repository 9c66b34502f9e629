export const HOUR_MS = 3_600_000;

/** First instant of the hour a time lies in, UTC. */
export function hourOf(timeMs: number): number {
  return timeMs - (timeMs % HOUR_MS);
}
