/**
 * The look-up API of the console: paths and shapes. Times are ISO 8601 in UTC; a digest is what people see
 * (`XXXX-XXXX`, or the error's own), a key the full SHA-256 in hex.
 */

export const CONSOLE_SESSION_PATH = '/console/api/session';
export const CONSOLE_FIND_PATH = '/console/api/find';
export const CONSOLE_ISSUES_PATH = '/console/api/issues';
export const CONSOLE_EVENTS_PATH = '/console/api/events';

/** Where the fault lies. */
export type IssueKind = 'browser' | 'server';

/** All events of one digest in one project. */
export interface IssueSummary {
  readonly project: string;
  readonly digest: string;
  readonly key: string;
  readonly kind: IssueKind;
  /** Error class and first line of the message of the newest event. */
  readonly title: string;
  readonly events: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** Release of the newest event. */
  readonly release: string | null;
}

/** Answer of `GET /console/api/issues`. `next` is the cursor of the following page. */
export interface IssueList {
  readonly issues: readonly IssueSummary[];
  readonly next: string | null;
}

/** How a pasted text was understood. */
export type FindReading = 'digest' | 'reference' | 'event_id' | 'text' | 'nothing';

/** Answer of `GET /console/api/find?q=`. */
export interface FindAnswer {
  readonly query: string;
  readonly reading: FindReading;
  readonly issues: readonly IssueSummary[];
  /** Set when the text named one occurrence (reference or event id). */
  readonly eventId: string | null;
  /** Only when nothing was found. */
  readonly hint?: FindHint;
}

/** What may help when nothing was found: a slip of the pen, or an event that retention has taken. */
export interface FindHint {
  /** Issues whose digest differs in one symbol from what was typed. */
  readonly similar: readonly IssueSummary[];
  /** Time of the oldest event that is kept; null when there is none at all. */
  readonly oldestKept: string | null;
}

/** One line of source with its 1-based number. */
export interface SourceLine {
  readonly number: number;
  readonly text: string;
}

/** One stack frame, newest call first. */
export interface FrameDetail {
  readonly file: string;
  readonly function: string | null;
  /** 1-based. */
  readonly line: number | null;
  /** 1-based. */
  readonly column: number | null;
  /** The application's own code, as opposed to a library's or the runtime's. */
  readonly own: boolean;
  /** Whether file, line and function come out of a source map. */
  readonly mapped: boolean;
  readonly source: readonly SourceLine[];
}

/** One error of a chain; the first one is what was thrown, each next one its cause. */
export interface ExceptionDetail {
  readonly type: string;
  readonly value: string;
  readonly frames: readonly FrameDetail[];
}

/** One event of an issue, as the list shows it. */
export interface EventSummary {
  readonly eventId: string;
  /** First 40 bits of the event id, as people read it out. */
  readonly reference: string;
  readonly time: string;
  /** Path of the page or the request. */
  readonly path: string | null;
  /** e.g. `Chrome 156 on Linux`. */
  readonly browser: string | null;
  readonly release: string | null;
  readonly environment: string | null;
}

/** Answer of `GET /console/api/events/:eventId`. */
export interface EventDetail extends EventSummary {
  readonly project: string;
  readonly digest: string;
  readonly title: string;
  readonly exceptions: readonly ExceptionDetail[];
  /** Why a stack stayed minified, or null. */
  readonly unmapped: string | null;
  readonly tags: Readonly<Record<string, string>>;
  /** One of very many repeats, kept without its stack: the one of the issue's `latest` is the same. */
  readonly brief?: boolean;
}

/** Answer of `GET /console/api/issues/:digest/events`. */
export interface EventList {
  readonly events: readonly EventSummary[];
  readonly next: string | null;
}

/** Number of events in one hour; `hour` is its first instant. */
export interface HourCount {
  readonly hour: string;
  readonly count: number;
}

/** Answer of `GET /console/api/issues/:digest`. */
export interface IssueAnswer extends IssueSummary {
  readonly firstRelease: string | null;
  /** The last 24 hours, oldest first, hours without events included. */
  readonly hours: readonly HourCount[];
  /** Issues of the other half: the server's fault behind a browser's error, and the other way round. */
  readonly related: readonly IssueSummary[];
  /** The newest event that is kept in full, or null once retention has dropped all bodies. */
  readonly latest: EventDetail | null;
  /** What people wrote about events of the issue, newest first, the last 20. */
  readonly feedback?: readonly FeedbackEntry[];
}

/** What a person wrote about a failure. */
export interface FeedbackEntry {
  readonly time: string;
  readonly message: string;
  readonly name: string | null;
  readonly contact: string | null;
  /** The event it speaks of. */
  readonly eventId: string | null;
}

/** Answer of `GET /console/api/session`. */
export interface SessionState {
  readonly signedIn: boolean;
  /** Whether a token is set at all; without one the console is closed. */
  readonly open: boolean;
}

/** Body of `POST /console/api/session`: the console token, or the one-time code of a printed link. */
export type SignIn = { readonly token: string } | { readonly code: string };
