/** Events: cause, request, timeline. Times are ISO 8601 in UTC. */

import type { UnknownWords } from './search-api.ts';

export const CONSOLE_EVENTS_PATH = '/console/api/events';

/** Source of an error. */
export type IssueKind = (typeof ISSUE_KINDS)[number];
export const ISSUE_KINDS = ['server', 'browser'] as const;

/** Name of an issue; project and address identify it. */
export interface IssueName {
  /** Canonical DSN. */
  readonly project: string;
  /** Digest for people: `XXXX-XXXX`, or the digest that the error brought. */
  readonly digest: string;
  /**
   * Text that names it in a link: its digest, or its full SHA-256 where another issue of its project has the same
   * digest and is at least as confirmed. A digest shows 40 bits of the hash; two of 100,000 issues share them with a probability of 0.45 %.
   */
  readonly address: string;
  /** Whether another issue that is at least as confirmed has the same digest, mostly in another project: a link then needs the project as well. */
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
  /** Whether it is the application's own code, and not a library's or the runtime's. */
  readonly own: boolean;
  /** Whether file, line and function come from a source map. */
  readonly mapped: boolean;
  readonly source: readonly SourceLine[];
}

/** One error of a chain: the first one was thrown, each next one is the cause of the one before. */
export interface ExceptionDetail {
  readonly type: string;
  readonly value: string;
  readonly frames: readonly FrameDetail[];
}

/** One event of an issue, as in a list. */
export interface EventSummary {
  readonly eventId: string;
  /** First 40 bits of the event ID, in a form that people can read out. */
  readonly reference: string;
  readonly time: string;
  /** Path of the page or of the request. */
  readonly path: string | null;
  /** e.g. `Chrome 156 on Linux`. */
  readonly browser: string | null;
  readonly release: string | null;
  readonly environment: string | null;
  /** Email, name or ID of the user. */
  readonly user: string | null;
  /** Name of the server that sent it. */
  readonly server: string | null;
}

/** Name and value from the event, secrets removed. */
export type NamedText = readonly [name: string, value: string];

/** The failed request; for a browser its page. */
export interface RequestDetail {
  readonly method: string | null;
  readonly url: string | null;
  readonly query: string | null;
  readonly headers: readonly NamedText[];
  /** Body as text, truncated at 8 KiB; null without one. */
  readonly body: string | null;
}

/** A context of the event (`device`, `os`, `runtime`, …) with its values. */
export interface ContextDetail {
  readonly name: string;
  readonly values: readonly NamedText[];
}

/** An entry of the timeline, from server or browser. */
export interface TimelineEntry {
  readonly time: string;
  readonly kind: IssueKind;
  /** `ui.click`, `fetch`, `navigation`, `console`, `query`, … or `exception`, `request`, `page shown`. */
  readonly category: string;
  readonly text: string;
  readonly level: 'debug' | 'info' | 'warning' | 'error';
  /** Event of this entry; null for a breadcrumb. */
  readonly eventId: string | null;
}

/** Sender of an event. Anyone who has seen a page has its public key, so what comes with it proves nothing. */
export interface Provenance {
  /**
   * `own`: Errata's reporting in this process or application. `gateway`: a gateway that the operator trusts. `server_key`: a
   * server with the server key of the project. `browser`: any client with the public key. `unknown`: an earlier version
   * stored the event.
   */
  readonly origin: 'own' | 'gateway' | 'server_key' | 'browser' | 'unknown';
  /** Whether its sender has a secret that no page contains. */
  readonly isConfirmed: boolean;
}

/** A stored event, secrets removed. */
export interface EventContent extends EventSummary, IssueName {
  readonly title: string;
  readonly exceptions: readonly ExceptionDetail[];
  /** Reason why the stack is minified, or null. */
  readonly unmapped: string | null;
  readonly tags: Readonly<Record<string, string>>;
  /** Stored without its stack trace, as one of very many repeats; the issue's `latest` event has the same one. */
  readonly brief?: boolean;
  readonly provenance: Provenance;
  readonly received: string;
  readonly request: RequestDetail | null;
  readonly contexts: readonly ContextDetail[];
  /** More about the user, beside {@link EventSummary.user}. */
  readonly userFacts: readonly NamedText[];
  /**
   * Breadcrumbs, request and exception of this event and of the other half of its failure, in the order of their times, at most 200.
   * Server and browser use their own clocks, which may differ.
   */
  readonly timeline: readonly TimelineEntry[];
  /** The other half of the failure, in browser or server, else another event of the same request or trace. */
  readonly linkedEvent: LinkedEvent | null;
  /** The nearest other event of the same server fault from the other source, at most 60 s away: mostly of another visitor. */
  readonly nearbyEvent: NearbyEvent | null;
}

/** A link to another event. */
export interface EventLink extends IssueName {
  readonly eventId: string;
  readonly title: string;
  readonly provenance: Provenance;
}

export interface LinkedEvent extends EventLink {
  /**
   * How it was found. `reference`: one of both is a browser's and names the other, so it is the other half of the failure.
   * `request_id`: both have it, and arrived within an hour. `trace_id`: both have it, at most 60 s apart, servers also for the
   * same path.
   */
  readonly joinedBy: 'reference' | 'request_id' | 'trace_id';
}

export interface NearbyEvent extends EventLink {
  readonly kind: IssueKind;
  readonly time: string;
}

/**
 * Delivery status of an event. `stored_only`: its project has no upstream, or a gateway has
 * asked for its page. `discarded`: an operator discarded its dead
 * letter, or it while it waited for a DSN that is not in the settings. `unknown`: the spool is unavailable, or another spool
 * accepted the event (a replica's, or an earlier one in this data directory).
 */
export interface EventDelivery {
  readonly state:
    | 'delivered'
    | 'queued'
    | 'dead_lettered'
    | 'expired'
    | 'dropped'
    | 'discarded'
    | 'stored_only'
    | 'unknown';
  /** Time of the status, if known. */
  readonly time: string | null;
  /** Delivery attempts so far, if known. */
  readonly tries: number | null;
  /** Reason why it is queued or was rejected: `send_error`, `rate_limited`, `timeout`, `status_503`, …; otherwise null. */
  readonly reason: string | null;
  /** HTTP status with which its upstream rejected it; otherwise null. */
  readonly status: number | null;
  /** Host, port if any, and project of its upstream. */
  readonly upstream: string | null;
  readonly deadLetterId: string | null;
}

/** Response of `GET /console/api/events/:eventId?project=`. `…/raw` downloads the event as JSON. */
export interface EventDetail extends EventContent {
  readonly delivery: EventDelivery;
}

/** Which events of an issue are listed and counted. */
export interface EventFilters {
  /** Canonical DSN of the issue's project. */
  readonly project?: string | null;
  /** A search by {@link EVENT_FIELDS}, which one event must match: `user:ann@example.org -browser:safari last:24h`. Null for all events. */
  readonly q?: string | null;
}

/** How far back a search among events has read. It begins with the newest one, and ends where it has found enough or at a limit. */
export interface SearchedEvents {
  readonly events: number;
  /** Time of the oldest event that it has read; null without an event. */
  readonly since: string | null;
  /** Whether it has read all events. */
  readonly isAll: boolean;
}

/** Response of `GET /console/api/issues/:digest/events?project=&q=&cursor=`. */
export interface EventList {
  readonly events: readonly EventSummary[];
  /** After 20,000 events a search ends before the page is full: `next` reads on. */
  readonly next: string | null;
  /** Set with a search: what was read for this page. */
  readonly searched?: SearchedEvents;
  /** Set when the search holds words that no event has. They are not searched. */
  readonly unknownWords?: UnknownWords;
}

/**
 * Response of `GET /console/api/events/:eventId/raw`: the event as an SDK sent it, secrets removed. Exception, message
 * and stack are at the places where Node's SDK puts them.
 */
export type StoredEventJson = Readonly<Record<string, unknown>>;
