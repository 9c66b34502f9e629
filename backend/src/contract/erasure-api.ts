/** Erasure of all data about a user, of an event, or of everything before a time. Operators only. */

export const CONSOLE_ERASURE_PATH = '/console/api/erasure';

/** Body of `POST /console/api/erasure`. */
export type Erasure =
  /** Email, name or ID of the user, as in the events. */
  | { readonly user: string }
  | { readonly eventId: string }
  /** Everything received before this time, ISO 8601. */
  | { readonly before: string };

/** Response: number of erased items. Counters of issues stay. */
export interface Erased {
  readonly events: number;
  readonly feedback: number;
  /** Queued envelopes and dead letters. */
  readonly spooled: number;
}
