import type { IssueKind } from '../../contract/event-api.ts';
import type { IssueStatus } from '../../contract/issues-api.ts';
import type { Generated, Kysely, Transaction } from 'kysely';
import type {
  AlertTable,
  AuditTable,
  ClientFileTable,
  CounterTable,
  SessionTable,
  SettingTable,
  SourceMapTable,
} from './operation-tables.ts';

/**
 * Kind of a row of issue_fact: release, user, path, alias, host, version, environment, server, browser, tag. The numbers are
 * stored: a number never gets a new meaning.
 */
export type FactKind = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10;

/** Sender of counted events: server, browser, browser report; 3 is for failures of the console. A number never gets a new meaning. */
export type HourSource = 0 | 1 | 2 | 3;

/** How an erasure rule selects data: by user, by event, by age. */
export type ErasureKind = 'user' | 'event' | 'before';

/**
 * The tables, the same in both databases. Times are ms since the epoch. The migrations contain the column types, the keys
 * and the reason of each index.
 */
export interface StoreTables {
  readonly setting: SettingTable;
  readonly project: ProjectTable;
  readonly issue: IssueTable;
  readonly issue_relation: IssueRelationTable;
  readonly issue_hour: IssueHourTable;
  readonly project_hour: ProjectHourTable;
  readonly event: EventTable;
  readonly event_ids: EventIdsTable;
  readonly feedback: FeedbackTable;
  readonly session: SessionTable;
  readonly note: NoteTable;
  readonly release: ReleaseTable;
  readonly issue_fact: IssueFactTable;
  readonly issue_text: IssueTextTable;
  readonly audit: AuditTable;
  readonly erasure: ErasureTable;
  readonly counter: CounterTable;
  readonly alert: AlertTable;
  readonly source_map: SourceMapTable;
  readonly client_file: ClientFileTable;
}

export type Database = Kysely<StoreTables>;
export type StoreTransaction = Transaction<StoreTables>;

export type Flavor = 'sqlite' | 'postgres';

/** An open database and its kind. */
export interface StoreDatabase {
  readonly db: Database;
  readonly flavor: Flavor;
  /** Opens a connection without timeouts for migrations, which close it. Without it they use `db`. */
  readonly openForMigrations?: () => Database;
  /** The disk of the embedded database. */
  readonly room?: DiskRoom;
}

/** Limits writes by the free space of the disk. */
export interface DiskRoom {
  /** Returns the most bytes to write in one transaction, out of so many. */
  batchBytes(bytes: number): number;
  /** Called before each transaction. @throws when the disk has no room for so many bytes. */
  need(bytes: number): void;
  /** Called after each transaction. */
  wrote(): void;
  /** Sets the maximum sizes of the file and of its write-ahead log, bytes. A file above its maximum only stops growing. */
  limit(maxFileBytes: number, maxLogBytes: number): void;
  /** Lifts the maximum size of the file while a migration runs: a full file has no page left for a new index. */
  setMigrating(isMigrating: boolean): void;
}

interface ProjectTable {
  readonly id: Generated<number>;
  readonly dsn: string;
}

/** All events of one digest in one project. Retention deletes its events earlier than the issue. */
interface IssueTable {
  readonly id: Generated<number>;
  readonly project_id: number;
  /** SHA-256, 64 hex digits: identifies the issue within its project; see unconfirmedKey. */
  readonly digest_key: string;
  /** The digest as pages show it: `XXXX-XXXX`, or the error's own. */
  readonly digest: string;
  readonly kind: IssueKind;
  readonly title: string;
  /** All events so far, including deleted ones. */
  readonly events: number;
  readonly first_seen_ms: number;
  readonly last_seen_ms: number;
  readonly first_release: string | null;
  readonly last_release: string | null;
  readonly status: Generated<IssueStatus>;
  /** Time of the last change by an operator. Events from before it do not reopen the issue. */
  readonly status_ms: Generated<number>;
  /** With `resolved`: events of earlier releases do not reopen it. */
  readonly resolved_release: string | null;
  readonly regressed_ms: number | null;
  /** Number of different users so far. */
  readonly users: Generated<number>;
  /** 1 once it has a confirmed event (event/provenance.ts), else 0. From then on it gets no other ones. */
  readonly is_confirmed: Generated<number>;
  /** Of its newest event, see levelOf; null until the first one since an earlier version. */
  readonly level: string | null;
  /** Line of an operator on the error pages of exactly this error. */
  readonly page_line: string | null;
}

/** Links a browser issue to a server issue: an event of the browser issue named `digest` as the server's. */
interface IssueRelationTable {
  readonly issue_id: number;
  readonly digest: string;
}

interface IssueHourTable {
  readonly issue_id: number;
  readonly hour_ms: number;
  readonly events: number;
}

/** All events of a project by hour, also those that were erased, or deleted with their issue. */
interface ProjectHourTable {
  readonly hour_ms: number;
  readonly project_id: number;
  readonly source: HourSource;
  /** Identity of the spool they came through; 0 for those of an earlier version. */
  readonly spool: number;
  readonly events: number;
}

interface EventTable {
  readonly id: Generated<number>;
  readonly project_id: number;
  /** 32 hex digits. The reference is the first ten of them, so that one index finds both. */
  readonly event_id: string;
  readonly issue_id: number;
  readonly received_ms: number;
  readonly occurred_ms: number;
  readonly release: string | null;
  readonly environment: string | null;
  /** Null, as `server`, also for the events of an earlier version. */
  readonly host: string | null;
  readonly path: string | null;
  readonly browser: string | null;
  readonly person: string | null;
  readonly server: string | null;
  /** JSON of pairs, see event/event-tags.ts; null for none, and for the events of an earlier version. */
  readonly tags: string | null;
  /** Bytes of the event in the database, which retention adds up. */
  readonly bytes: number;
  /** 1 for a repeat that is stored in brief, else 0. */
  readonly is_brief: number;
  /** 1 for an event above the share of its sender network, else 0; see SenderCounts. Retention deletes it before all others. */
  readonly is_excess: number;
  /** See stored-event.ts. */
  readonly payload: Uint8Array;
  /** Identity of the spool it came through: only that spool knows its delivery status. */
  readonly spool: number;
  /** Sender; see event/provenance.ts. */
  readonly origin: number;
}

/** The ids by which people know an event; see event-ids.ts. */
interface EventIdsTable {
  /** Id of the row of the event. */
  readonly event: number;
  /** Hashes, one behind the other. */
  readonly hashes: Uint8Array;
}

interface FeedbackTable {
  readonly id: Generated<number>;
  readonly project_id: number;
  readonly feedback_id: string;
  /** The event that it is about. */
  readonly event_id: string | null;
  /** The issue of that event; null until the event is stored. */
  readonly issue_id: number | null;
  readonly received_ms: number;
  readonly name: string | null;
  readonly contact: string | null;
  readonly message: string;
  readonly url: string | null;
  /** Sender; see event/provenance.ts. */
  readonly origin: number;
  /** 1 above the share of its sender network, else 0; see SenderCounts. Retention deletes it before all other feedback. */
  readonly is_excess: number;
}

interface NoteTable {
  readonly id: Generated<number>;
  readonly issue_id: number;
  readonly at_ms: number;
  readonly author: string;
  readonly body: string;
}

/** Releases, with the time that orders those whose names say no order; see ingest/release-order.ts. */
interface ReleaseTable {
  readonly project_id: number;
  readonly name: string;
  /** Of its first confirmed event, where it has one. */
  readonly first_seen_ms: number;
  /** 1 with a confirmed event, else 0. */
  readonly is_confirmed: Generated<number>;
}

/** Facts of issues by which a search finds them: releases, users, hosts, paths, servers and tags. */
interface IssueFactTable {
  /** Meaning of `value`; see event/fact-forms.ts. */
  readonly kind: FactKind;
  readonly value: string;
  readonly issue_id: number;
  /** Time of the last event with this fact, exact to an hour, so that it is written at most once an hour. */
  readonly last_seen_ms: number;
}

/** The search text of an issue. */
interface IssueTextTable {
  readonly issue_id: number;
  /** In the form of searchText; see event/issue-text.ts. */
  readonly body: string;
  /** Hash of the text without numbers and ids. While it stays the same, the text is not written again. */
  readonly fingerprint: string;
}

/** See erasure-rules/erasure-rule.ts. */
interface ErasureTable {
  readonly id: Generated<number>;
  readonly at_ms: number;
  readonly kind: ErasureKind;
  readonly value: string;
  readonly salt: string;
  /** Time at which all rows were deleted; null while the erasure runs, or after it was interrupted. */
  readonly finished_ms: number | null;
}
