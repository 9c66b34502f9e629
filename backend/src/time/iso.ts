/** Formats a time as ISO 8601 in UTC. */
export function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
