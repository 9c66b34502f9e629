import type { RejectionCount } from './delivery-api.ts';
import type { EventSummary, SearchedEvents } from './event-api.ts';
import type { IssueSummary } from './issues-api.ts';
import type { UnknownWords } from './search-api.ts';

/** Find: from a pasted text to the issues that it names. Times are ISO 8601 in UTC. */

export const CONSOLE_FIND_PATH = '/console/api/find';
export const CONSOLE_FIND_EXAMPLES_PATH = '/console/api/find/examples';

/** Fields of a search by what events have: `release:1.4.2 user:… url:/checkout tag:plan:gold`. */
export const FIND_FILTERS = ['release', 'user', 'url', 'environment', 'server', 'browser', 'tag'] as const;
/** All fields: those of the events, of the issue, and times. */
export const FIND_FIELDS = [...FIND_FILTERS, 'level', 'is', 'last', 'at'] as const;

/** Fields of a search among the events of an issue. */
export const EVENT_FIELDS = [...FIND_FILTERS, 'last', 'at'] as const;

export type FindField = (typeof FIND_FIELDS)[number];

/**
 * A way to read a text. `tag` is also any code that an application has put into an event: into a tag, an extra, the
 * fingerprint or the message. `client_sentence`, `server_sentence`: the sentence of an error page without an id.
 */
export type FindReading =
  | 'digest'
  | 'reference'
  | 'event_id'
  | 'trace_id'
  | 'request_id'
  | 'user'
  | 'url'
  | 'release'
  | 'environment'
  | 'server'
  | 'browser'
  | 'tag'
  | 'client_sentence'
  | 'server_sentence'
  | 'text'
  | 'nothing';

/** A part of the text, and how it was read. */
export interface ReadText {
  readonly as: FindReading;
  readonly value: string;
}

/** Response of `GET /console/api/find/examples`: values of the newest events, at most one of each kind. None without an event. */
export interface FindExamples {
  readonly examples: readonly ReadText[];
}

/** An issue that the text names. */
export interface FoundIssue extends IssueSummary {
  /**
   * Its newest event that has the id, user, URL or release; with several filters one that has all of them. Null where the
   * text names the issue itself or words of it, where the event is deleted or not among those that were searched, and where
   * each filter holds for another event. On a page issues without it are behind the others of their rank.
   */
  readonly match: Pick<EventSummary, 'eventId' | 'reference' | 'time'> | null;
}

/**
 * Response of `GET /console/api/find?q=&cursor=`. `next` is the cursor of the next page. Headers and URL have room for 16 KiB:
 * a longer text gets a 414, and the console sends only the parts of it that name an error.
 */
export interface FindAnswer {
  /** The text that was read: of a longer one the first 4,096 characters. */
  readonly query: string;
  /** The first of `readings` that has found something, else the first. */
  readonly reading: FindReading;
  /** All ways in which the text was read, in their order. */
  readonly readings: readonly ReadText[];
  /** The confirmed issues first, which no stranger can make; among them the one that was seen last. */
  readonly issues: readonly FoundIssue[];
  readonly next: string | null;
  /**
   * Set when the text names one event (by reference, event ID or an id that one event has). A reference or an event ID means
   * the confirmed event; those with the same digits that may be forged are listed behind it.
   */
  readonly eventId: string | null;
  /** Set when more events match than were read: further issues may match. */
  readonly isCut?: boolean;
  /**
   * Set when the ids of events were searched: older events may match, too. `since` is the arrival of the oldest one.
   *
   * The ids of an event are those of its trace, its replay and its request (four), the four names of its user, its path, release,
   * environment and server, its first 12 tags, the first eight codes of its fingerprint and extra data (of an object or a list
   * in that the first 16 members), and the first six of its message; 32 in all. Nothing else was searched: no query string, no
   * body, no breadcrumb, no other context.
   */
  readonly searched?: SearchedEvents;
  /** Set when the text holds unknown words. Of a text that was read as an ID only where nothing was found, and a field may be mistyped. */
  readonly unknownWords?: UnknownWords;
  /** Set when nothing was found. */
  readonly hint?: FindHint;
}

/** Facts that explain why nothing was found; all are counted, none is a guess. */
export interface FindHint {
  /** Issues whose digest differs from the text by one character (also a missing one), two swapped neighbours, or two characters that look alike. */
  readonly similar: readonly IssueSummary[];
  /** For the sentence of an error page: the ten newest issues of that page's source in the last hour, confirmed ones first. Else empty. */
  readonly recent: readonly IssueSummary[];
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
