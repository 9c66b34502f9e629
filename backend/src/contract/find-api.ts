import type { RejectionCount } from './delivery-api.ts';
import type { IssueSummary, UnknownWords } from './issues-api.ts';

/** Find: from a pasted text to the issues that it names. Times are ISO 8601 in UTC. */

export const CONSOLE_FIND_PATH = '/console/api/find';

/** Filters of a text to find: `release:1.4.2 user:… url:/checkout`. */
export const FIND_FILTERS = ['release', 'user', 'url'] as const;

/** How the text was understood. */
export type FindReading = 'digest' | 'reference' | 'event_id' | 'text' | 'nothing';

/** Response of `GET /console/api/find?q=&cursor=`. `next` is the cursor of the next page. */
export interface FindAnswer {
  readonly query: string;
  readonly reading: FindReading;
  readonly issues: readonly IssueSummary[];
  readonly next: string | null;
  /** Set when the text names one event (by reference or event ID). */
  readonly eventId: string | null;
  /** Set when the text holds unknown words. */
  readonly unknownWords?: UnknownWords;
  /** Set when nothing was found. */
  readonly hint?: FindHint;
}

/** Facts that explain why nothing was found; all are counted, none is a guess. */
export interface FindHint {
  /** Issues whose digest differs from the text by one character, two swapped neighbours, or two characters that look alike. */
  readonly similar: readonly IssueSummary[];
  /** Time of the oldest stored event; null without events. */
  readonly oldestStored: string | null;
  readonly retentionDays: number;
  /** Events that retention and erasure have deleted so far. */
  readonly deleted: number;
  /** Status of the event that the text names, if the spool knows it: dead letter, expired, dropped or queued. */
  readonly lost: LostEvent | null;
  /** Envelopes that this process rejected in the last 24 hours, by reason. */
  readonly rejected: readonly RejectionCount[];
  /** Start of the process while it is younger than 24 hours: `rejected` counts from then on. Null later. */
  readonly rejectedSince: string | null;
  /** Envelopes queued for the store; null while the spool is unavailable. */
  readonly queued: number | null;
}

export interface LostEvent {
  readonly eventId: string;
  readonly fate: 'queued' | 'dead_lettered' | 'expired' | 'dropped';
  readonly reason: string;
  /** Null if a damaged disk has made it unreadable. */
  readonly time: string | null;
}
