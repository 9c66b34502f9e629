/** Forgetting: what was kept of a person, an event, or an age is deleted everywhere here. Operators only. */

export const CONSOLE_ERASURE_PATH = '/console/api/erasure';

/** Body of `POST /console/api/erasure`. */
export type Erasure =
  /** As an event names the person: email, name or id. */
  | { readonly user: string }
  | { readonly eventId: string }
  /** Everything received before, ISO 8601. */
  | { readonly before: string };

/** Its answer; counters stay. */
export interface Erased {
  readonly events: number;
  readonly feedback: number;
  /** Envelopes that had yet to be delivered, and dead letters. */
  readonly spooled: number;
}
