import type { RefusedCount } from './delivery-api.ts';
import type { IssueSummary } from './issues-api.ts';

/** From whatever somebody pasted to the errors it names. Times are ISO 8601 in UTC. */

export const CONSOLE_FIND_PATH = '/console/api/find';

/** Filters of a search: `release:1.4.2 user:… url:/checkout`. */
export const SEARCH_FILTERS = ['release', 'user', 'url'] as const;

/** Words of a search that look like filters or operators, are unknown, and were searched as text. */
export interface UnknownWords {
  readonly unknown: readonly string[];
  /** The words that a search understands. */
  readonly known: readonly string[];
}

/** How a pasted text was understood. */
export type FindReading = 'digest' | 'reference' | 'event_id' | 'text' | 'nothing';

/** Answer of `GET /console/api/find?q=&cursor=`. `next` is the cursor of the following page. */
export interface FindAnswer {
  readonly query: string;
  readonly reading: FindReading;
  readonly issues: readonly IssueSummary[];
  readonly next: string | null;
  /** Set when the text named one occurrence (reference or event id). */
  readonly eventId: string | null;
  /** Set when the search holds unknown words. */
  readonly unknownWords?: UnknownWords;
  /** Only when nothing was found. */
  readonly hint?: FindHint;
}

/** What the store alone can say when nothing was found. */
export interface StoreHint {
  /** Issues whose digest differs in one symbol from what was typed, or has two neighbours swapped. */
  readonly similar: readonly IssueSummary[];
  /** Time of the oldest event that is kept; null when there is none at all. */
  readonly oldestKept: string | null;
}

/** What may help when nothing was found, all of it counted and none of it guessed. */
export interface FindHint extends StoreHint {
  readonly retentionDays: number;
  /** Events that retention and erasure have deleted so far. */
  readonly deleted: number;
  /** What became of the very event the text names, where the spool knows: refused, expired, or still on its way. */
  readonly lost: LostEvent | null;
  /** Envelopes that were turned away, by reason, in the last 24 hours of this process. */
  readonly refused: readonly RefusedCount[];
  /** Envelopes that wait in the spool for the store; null while the spool cannot be asked. */
  readonly waiting: number | null;
}

export interface LostEvent {
  readonly eventId: string;
  readonly fate: 'waiting' | 'dead_lettered' | 'expired' | 'shed';
  readonly reason: string;
  readonly time: string;
}
