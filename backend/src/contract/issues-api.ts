import type { UnknownWords } from './find-api.ts';
import type { EventDetail, IssueKind, IssueName } from './event-api.ts';

/** Issues: what failed, how often, and what people say about it. Times are ISO 8601 in UTC. */

export const CONSOLE_ISSUES_PATH = '/console/api/issues';
export const CONSOLE_FEEDBACK_PATH = '/console/api/feedback';
export const CONSOLE_PROJECTS_PATH = '/console/api/projects';

/**
 * What is to be done about it. `resolved` comes back as `open` when it happens again (a regression): at once, or, when it
 * was resolved in a release, as soon as that release or a later one has it. `ignored` stays.
 */
export type IssueStatus = 'open' | 'resolved' | 'ignored';

/** All events of one digest in one project. */
export interface IssueSummary extends IssueName {
  /** The full SHA-256 in hex. */
  readonly key: string;
  readonly kind: IssueKind;
  /** Error class and first line of the message of the newest event. */
  readonly title: string;
  readonly events: number;
  /** Different people that were counted in it; 0 where events name none. */
  readonly users: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** Release of the newest event. */
  readonly release: string | null;
  readonly status: IssueStatus;
  /** The release it is resolved in; null when it is not resolved, or in whatever release. */
  readonly resolvedIn: string | null;
  /** When it last came back after it was resolved; null when it never did. */
  readonly regressed: string | null;
  /** Events of each of the last 24 hours, oldest first. */
  readonly hours: readonly number[];
}

export type IssueSort = 'last' | 'first' | 'events' | 'users';

/** Query of `GET /console/api/issues`; all of it may be left out. */
export interface IssueQuery {
  /** As the find box takes it: `release:1.4.2 user:… url:/checkout "text"`. */
  readonly q: string;
  readonly status: IssueStatus | 'all';
  readonly kind: IssueKind | 'all';
  /** Canonical DSN of one project, or '' for all. */
  readonly project: string;
  readonly sort: IssueSort;
  readonly cursor: string | null;
}

/** Answer of `GET /console/api/issues`. `next` is the cursor of the following page. */
export interface IssueList {
  readonly issues: readonly IssueSummary[];
  readonly next: string | null;
  /** Number of issues on all pages; 1,000 means 1,000 or more. */
  readonly total: number;
  /** Set when the search holds unknown words. */
  readonly unknownWords?: UnknownWords;
  /** Only on an empty first page: how many there would be without one of the filters, those that hide something. */
  readonly hidden?: readonly HiddenByFilter[];
}

/** Answer of `GET /console/api/projects`: canonical DSNs of all that have sent something, for the filter. */
export interface ProjectList {
  readonly projects: readonly string[];
}

export interface HiddenByFilter {
  readonly filter: 'q' | 'status' | 'kind' | 'project';
  /** 1,000 stands for as many or more. */
  readonly issues: number;
}

/** Body of `POST /console/api/issues/status`. */
export interface StatusChange {
  /** 1 to 200 of them, each in its own project: others that have the same fault settle it for themselves. */
  readonly issues: readonly Pick<IssueSummary, 'key' | 'project'>[];
  readonly status: IssueStatus;
  /** Only with `resolved`. */
  readonly resolvedIn?: string | null;
}

/** Its answer: how many issues it was done with. */
export interface StatusChanged {
  readonly changed: number;
}

/** Number of events in one hour; `hour` is its first instant. */
export interface HourCount {
  readonly hour: string;
  readonly count: number;
}

/** Answer of `GET /console/api/issues/:digest?project=`; without a project the one seen last. */
export interface IssueAnswer extends Omit<IssueSummary, 'hours'> {
  readonly firstRelease: string | null;
  /** The last 24 hours, oldest first, hours without events included. */
  readonly hours: readonly HourCount[];
  /** The last 28 days, the same by days: `hour` is the first instant of the day, UTC. */
  readonly days: readonly HourCount[];
  /** Releases it was seen in, newest first, 20 at most. */
  readonly releases: readonly string[];
  /** Issues of the other half: the server's fault behind a browser's error, and the other way round. */
  readonly related: readonly IssueSummary[];
  /** The newest event that is kept in full, or null once retention has dropped all bodies. */
  readonly latest: EventDetail | null;
  /** What people wrote about events of the issue, newest first, the last 20. */
  readonly feedback: readonly FeedbackEntry[];
  /** What operators wrote about it, oldest first. */
  readonly notes: readonly Note[];
  /** Digests of earlier versions of the grouping that lead here. */
  readonly aliases: readonly string[];
  /** The same fault in other projects, the one seen last first. */
  readonly alsoIn: readonly IssueName[];
}

/** What a person wrote about a failure. */
export interface FeedbackEntry {
  readonly id: number;
  readonly time: string;
  readonly message: string;
  readonly name: string | null;
  readonly contact: string | null;
  /** The event it speaks of. */
  readonly eventId: string | null;
  /** Page it was written on. */
  readonly url: string | null;
  /** Canonical DSN. */
  readonly project: string;
}

/** Answer of `GET /console/api/feedback`: what speaks of no event that is here, newest first. */
export interface FeedbackList {
  readonly feedback: readonly FeedbackEntry[];
  readonly next: string | null;
}

/** What somebody of the team wrote about an issue. */
export interface Note {
  readonly id: number;
  readonly time: string;
  readonly author: string;
  readonly text: string;
}

/** Body of `POST /console/api/issues/:digest/notes?project=`; the answer is the {@link Note}. 1 to 10,000 characters. */
export interface NewNote {
  readonly text: string;
}
