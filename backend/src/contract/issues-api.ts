import {
  type EventDetail,
  ISSUE_KINDS,
  type IssueKind,
  type IssueName,
  type Provenance,
} from './event-api.ts';
import type { UnknownWords } from './search-api.ts';

/** Issues, their status, notes and feedback. Times are ISO 8601 in UTC. */

export const CONSOLE_ISSUES_PATH = '/console/api/issues';
export const CONSOLE_FEEDBACK_PATH = '/console/api/feedback';
export const CONSOLE_PROJECTS_PATH = '/console/api/projects';

/** Rows of one page of a list. */
export const PAGE_ROWS = 50;

/**
 * Status of an issue. `resolved` becomes `open` when the error happens again (a regression): at once, or, if it was
 * resolved in a release, when that release or a later one has it. `ignored` stays.
 */
export type IssueStatus = (typeof ISSUE_STATUSES)[number];
export const ISSUE_STATUSES = ['open', 'resolved', 'ignored'] as const;

/** All events of one digest in one project; those without a secret (Provenance) have an issue of their own beside it. */
export interface IssueSummary extends IssueName {
  /** The full SHA-256 in hex. */
  readonly key: string;
  readonly kind: IssueKind;
  /** Whether it has a confirmed event; see Provenance. From then on it gets no other ones. */
  readonly isConfirmed: boolean;
  /** Error class and first line of the message of the newest event. */
  readonly title: string;
  readonly events: number;
  /** Number of different users; 0 if the events name none. */
  readonly users: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** Release of the newest event. */
  readonly release: string | null;
  readonly status: IssueStatus;
  /** Release in which it is resolved; null if it is not resolved, or in no particular release. */
  readonly resolvedIn: string | null;
  /** Time of the last regression; null without one. */
  readonly regressed: string | null;
  /** Events of each of the last 24 hours, oldest first. */
  readonly hours: readonly number[];
}

/** Values of an {@link IssueQuery}. */
export const STATUS_FILTERS = [...ISSUE_STATUSES, 'all'] as const;
export const KIND_FILTERS = ['all', ...ISSUE_KINDS] as const;
export const ISSUE_SORTS = ['last', 'first', 'events', 'users'] as const;

export type IssueSort = (typeof ISSUE_SORTS)[number];

/** Query of `GET /console/api/issues`; every part is optional. */
export interface IssueQuery {
  /** Text to find: `release:1.4.2 -user:… url:/checkout level:fatal last:24h "text"`. A status in it, such as `is:ignored`, wins over `status`. */
  readonly q: string;
  readonly status: (typeof STATUS_FILTERS)[number];
  readonly kind: (typeof KIND_FILTERS)[number];
  /** Canonical DSN of one project, or '' for all. */
  readonly project: string;
  readonly sort: IssueSort;
  readonly cursor: string | null;
}

/** Response of `GET /console/api/issues`. `next` is the cursor of the next page. */
export interface IssueList {
  readonly issues: readonly IssueSummary[];
  readonly next: string | null;
  /** Number of issues on all pages; 1,000 means 1,000 or more. */
  readonly total: number;
  /** Set when the text holds unknown words. */
  readonly unknownWords?: UnknownWords;
  /** Set on an empty first page: filters that hide issues, with the number of issues that each one hides. */
  readonly hidden?: readonly HiddenByFilter[];
}

/** Response of `GET /console/api/projects`: canonical DSNs of the projects that have sent events. */
export interface ProjectList {
  readonly projects: readonly string[];
}

export interface HiddenByFilter {
  readonly filter: 'q' | 'status' | 'kind' | 'project';
  /** 1,000 means 1,000 or more. */
  readonly issues: number;
}

/** Body of `POST /console/api/issues/status`. */
export interface StatusChange {
  /** 1 to 200 issues. The same digest in another project keeps its own status. */
  readonly issues: readonly Pick<IssueSummary, 'key' | 'project'>[];
  readonly status: IssueStatus;
  /** Only with `resolved`. */
  readonly resolvedIn?: string | null;
}

/** Response: number of changed issues. */
export interface StatusChanged {
  readonly changed: number;
}

/** Number of events in one hour; `hour` is its first instant. */
export interface HourCount {
  readonly hour: string;
  readonly count: number;
}

/** Response of `GET /console/api/issues/:digest?project=`; without a project the issue with the newest event. */
export interface IssueAnswer extends Omit<IssueSummary, 'hours'> {
  readonly firstRelease: string | null;
  /** The last 24 hours, oldest first, hours without events included. */
  readonly hours: readonly HourCount[];
  /** The last 28 days, in the same form: `hour` is the first instant of the day in UTC. */
  readonly days: readonly HourCount[];
  /** Releases of its events, newest first, at most 20. */
  readonly releases: readonly string[];
  /** Linked issues of the other source: the server error behind a browser error, and the other way round. */
  readonly related: readonly IssueSummary[];
  /** The newest event that is stored in full; null when retention has deleted all of them. */
  readonly latest: EventDetail | null;
  /** User feedback on its events, newest first, at most 20. */
  readonly feedback: readonly FeedbackEntry[];
  /** Notes of operators, oldest first. */
  readonly notes: readonly Note[];
  /** Null for an issue whose error pages cannot show one: of a browser, of another project, or not confirmed. */
  readonly pageLine: PageLine | null;
  /** The same error in other projects, and its events of the other kind in this one, newest event first. */
  readonly alsoIn: readonly SameIssue[];
}

/** Another issue of the same error. */
export interface SameIssue extends IssueName {
  readonly isConfirmed: boolean;
  readonly events: number;
}

/** User feedback on a failure. */
export interface FeedbackEntry {
  readonly id: number;
  readonly time: string;
  readonly message: string;
  readonly name: string | null;
  readonly contact: string | null;
  /** Event that the feedback is about. */
  readonly eventId: string | null;
  /** URL of the page with the feedback form. */
  readonly url: string | null;
  /** Canonical DSN. */
  readonly project: string;
  /** Sender: with the public key anyone can write about an event, also about a server's. */
  readonly provenance: Provenance;
}

/** Response of `GET /console/api/feedback`: feedback not linked to a stored event, newest first. */
export interface FeedbackList {
  readonly feedback: readonly FeedbackEntry[];
  readonly next: string | null;
}

/** A note of an operator on an issue. */
export interface Note {
  readonly id: number;
  readonly time: string;
  readonly author: string;
  readonly text: string;
}

/** Body of `POST /console/api/issues/:digest/notes?project=`: 1 to 10,000 characters. The response is the {@link Note}. */
export interface NewNote {
  readonly text: string;
}

/** Most characters of {@link PageLine.text}. */
export const MAX_PAGE_LINE = 200;

/**
 * Line of an operator on a known fault: the error pages of exactly this fault show it while its issue is not resolved, and again
 * from the second page on when the error comes back.
 */
export interface PageLine {
  /** Plain text of at most 200 visible characters in one line; '' for none. */
  readonly text: string;
  /** Whether pages of this server show lines at all, also for '' and for a resolved issue: not with `ERRATA_ERROR_PAGE=plain`. */
  readonly isShown: boolean;
}

/** Body of `PUT /console/api/issues/:digest/page-line?project=`; '' removes the line. The response is the {@link PageLine}. */
export interface NewPageLine {
  readonly text: string;
}
