/** Erasure of all data about a user, of an event, or of everything before a time. Operators only. */

export const CONSOLE_ERASURE_PATH = '/console/api/erasure';

/** Body of `POST /console/api/erasure` and of `POST /console/api/erasure/matches`. */
export type Erasure = (
  | {
      /** Email, name or ID of the user, as in the events. */
      readonly user: string;
    }
  | { readonly eventId: string }
  | {
      /** Everything received before this time, ISO 8601. */
      readonly before: string;
    }
) & {
  /** Canonical DSN of the project to erase in; all projects without it. */
  readonly project?: string;
};

/** Response: number of erased items. Counters of issues stay. */
export interface Erased {
  readonly events: number;
  readonly feedback: number;
  /** Queued envelopes and dead letters. */
  readonly spooled: number;
}

/** What an erasure matches in a project. Feedback about a matching event is erased with it, and not counted here. */
export interface ErasureMatch extends Erased {
  /** Canonical DSN. */
  readonly project: string;
}

/** Response of `POST /console/api/erasure/matches`: what the erasure would delete now. */
export interface ErasureMatches {
  readonly projects: readonly ErasureMatch[];
}
