import type { EventDetail, EventList, FindAnswer, IssueAnswer, IssueList } from '../contract/console-api.ts';
import type { Settlement } from '../relay/sink.ts';
import type { SpooledEnvelope } from '../spool/spooled-envelope.ts';

/** A signed-in browser, found by the SHA-256 of its cookie: the cookie's own value is never stored. */
export interface StoredSession {
  /** SHA-256 of the session token, hex. */
  readonly tokenHash: string;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
}

/** How many rows retention took away. */
export interface Retained {
  readonly events: number;
  readonly bytes: number;
}

/** What retention keeps. */
export interface RetentionLimits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/**
 * Errors, feedback and reports of browsers kept here, found again by digest, reference or event id.
 *
 * The port in front of two adapters (SQLite in the data directory, PostgreSQL shared by replicas) and their
 * Nest token. Both live in one worker thread, so that parsing, digesting, source-mapping and a synchronous
 * database never block the HTTP thread.
 */
export abstract class EventStore {
  /** Stores what is for the store in each envelope; answers after a durable commit, one settlement for each. */
  abstract ingest(batch: readonly SpooledEnvelope[]): Promise<readonly Settlement[]>;
  /** The public key of Errata's own project, made on first use and shared by all replicas: 32 hex digits. */
  abstract ownProjectKey(): Promise<string>;

  abstract find(query: string): Promise<FindAnswer>;
  /** Newest first, `limit` at most, 200 in any case; `cursor` as an earlier answer gave it, else the beginning. */
  abstract issues(limit: number, cursor: string | null): Promise<IssueList>;
  /**
   * By what people see (digest), a prefix of it, a reference or an event id. Undefined when nothing or several
   * digests fit; of one digest in several projects it is the one seen last.
   */
  abstract issue(digest: string): Promise<IssueAnswer | undefined>;
  abstract issueEvents(digest: string, limit: number, cursor: string | null): Promise<EventList | undefined>;
  abstract event(eventId: string): Promise<EventDetail | undefined>;

  abstract saveSession(session: StoredSession): Promise<void>;
  abstract session(tokenHash: string): Promise<StoredSession | undefined>;
  abstract touchSession(tokenHash: string, lastSeenAtMs: number): Promise<void>;
  abstract deleteSession(tokenHash: string): Promise<void>;

  /** Deletes what is older than `maxAgeMs`, then the oldest until the events fit `maxBytes`; counters stay. */
  abstract retain(limits: RetentionLimits, nowMs: number): Promise<Retained>;
  abstract close(): Promise<void>;
}
