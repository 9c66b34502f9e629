export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Returns a time as ISO 8601 in UTC. */
export function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** Returns {@link isoTime}; null for a time that is unknown. */
export function isoTimeOrNull(timeMs: number | null): string | null {
  return timeMs === null ? null : isoTime(timeMs);
}

/** Returns the start of the hour that a time lies in, UTC. */
export function hourOf(timeMs: number): number {
  return timeMs - (timeMs % HOUR_MS);
}
