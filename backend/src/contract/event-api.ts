import type { EventDelivery } from './delivery-api.ts';

/** One occurrence: its cause, and what happened around it. Times are ISO 8601 in UTC. */

export const CONSOLE_EVENTS_PATH = '/console/api/events';

/** Where a fault lies: the half of the application. */
export type IssueKind = 'browser' | 'server';

/** What an issue is called, and by what a link leads to it and to no other. */
export interface IssueName {
  /** Canonical DSN. */
  readonly project: string;
  /** What people see (`XXXX-XXXX`, or the error's own). */
  readonly digest: string;
  /** Another issue goes by this digest, mostly the same fault in another project: a link needs the project as well. */
  readonly isShared: boolean;
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
  /** Email, name or id of whom it happened to. */
  readonly user: string | null;
}

/** Name and value, as the event has them, scrubbed. */
export type NamedText = readonly [name: string, value: string];

/** The request during which it happened; for a browser the page. */
export interface RequestDetail {
  readonly method: string | null;
  readonly url: string | null;
  readonly query: string | null;
  readonly headers: readonly NamedText[];
  /** Body as text, cut at 8 KiB; null where there is none. */
  readonly body: string | null;
}

/** `device`, `os`, `runtime`, … with what each says. */
export interface ContextDetail {
  readonly name: string;
  readonly values: readonly NamedText[];
}

/** Something that happened around the failure, in either half. */
export interface TimeLineEntry {
  readonly time: string;
  readonly half: IssueKind;
  /** `ui.click`, `fetch`, `navigation`, `console`, `query`, … or `exception`, `request`, `page shown`. */
  readonly category: string;
  readonly text: string;
  readonly level: 'debug' | 'info' | 'warning' | 'error';
  /** The event it is about, where it is one. */
  readonly eventId: string | null;
}

/** What is kept of one occurrence, scrubbed. */
export interface KeptEvent extends EventSummary {
  readonly project: string;
  readonly digest: string;
  readonly title: string;
  readonly exceptions: readonly ExceptionDetail[];
  /** Why a stack stayed minified, or null. */
  readonly unmapped: string | null;
  readonly tags: Readonly<Record<string, string>>;
  /** One of very many repeats, kept without its stack: the one of the issue's `latest` is the same. */
  readonly brief?: boolean;
  readonly server: string | null;
  readonly received: string;
  readonly request: RequestDetail | null;
  readonly contexts: readonly ContextDetail[];
  /** Key facts about whom it happened to, beside {@link EventSummary.user}. */
  readonly userFacts: readonly NamedText[];
  /**
   * Breadcrumbs, request and exception of this event and of the other half's, oldest first, 200 at most. Times are
   * those of each half's own clock, which may differ: the order is that of what happened, as far as it is known.
   */
  readonly timeLine: readonly TimeLineEntry[];
  /** The other half of this very failure, where it is here. */
  readonly otherHalf: LinkedEvent | null;
}

export interface LinkedEvent extends IssueName {
  readonly eventId: string;
  readonly title: string;
}

/** Answer of `GET /console/api/events/:eventId?project=`. Its scrubbed JSON, as a download: `…/raw`. */
export interface EventDetail extends KeptEvent {
  readonly delivery: EventDelivery;
}

/** Answer of `GET /console/api/issues/:digest/events?project=`. */
export interface EventList {
  readonly events: readonly EventSummary[];
  readonly next: string | null;
}

/** Answer of `GET /console/api/events/:eventId/raw`: an event as Sentry's SDKs write it, scrubbed. */
export type StoredEventJson = Readonly<Record<string, unknown>>;
