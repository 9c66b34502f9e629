import type { Role, SessionWay } from '../../contract/access-api.ts';
import type { IssueKind } from '../../contract/event-api.ts';
import type { IssueStatus } from '../../contract/issues-api.ts';
import type { WebhookBody } from '../../contract/webhook-api.ts';
import type { Generated, Kysely, Transaction } from 'kysely';

/** Kind of a row of issue_fact: release, person, path. Stored: a number never gets a new meaning. */
export type FactKind = 1 | 2 | 3;

/** How an erasure rule selects data: by person, by event, by age. */
export type ErasureKind = 'user' | 'event' | 'before';

/**
 * The tables as the queries see them: the same in both databases. Times are ms since the epoch; the migrations
 * hold column types, keys and the reason of each index.
 */
export interface Tables {
  readonly setting: SettingTable;
  readonly project: ProjectTable;
  readonly issue: IssueTable;
  readonly issue_relation: IssueRelationTable;
  readonly issue_hour: IssueHourTable;
  readonly event: EventTable;
  readonly feedback: FeedbackTable;
  readonly session: SessionTable;
  readonly note: NoteTable;
  readonly release: ReleaseTable;
  readonly issue_fact: IssueFactTable;
  readonly issue_text: IssueTextTable;
  readonly audit: AuditTable;
  readonly erasure: ErasureTable;
  readonly counter: CounterTable;
  readonly webhook_delivery: WebhookDeliveryTable;
  readonly webhook_summary_issue: WebhookSummaryIssueTable;
  readonly source_map: SourceMapTable;
}

export type Database = Kysely<Tables>;
export type StoreTransaction = Transaction<Tables>;

export type Flavor = 'sqlite' | 'postgres';

/** An open database and which of the two it is. */
export interface StoreDatabase {
  readonly db: Database;
  readonly flavor: Flavor;
  /** Called before each batch. @throws where the disk is about to be full. */
  readonly needRoom?: () => void;
}

/** Single values that every replica must agree on, such as the key of Errata's own project. */
interface SettingTable {
  readonly name: string;
  readonly value: string;
}

interface ProjectTable {
  readonly id: Generated<number>;
  readonly dsn: string;
}

/** All events of one digest in one project. Outlives its events. */
interface IssueTable {
  readonly id: Generated<number>;
  readonly project_id: number;
  /** SHA-256, 64 hex digits: the identity. */
  readonly digest_key: string;
  /** What people see: `XXXX-XXXX`, or the error's own. */
  readonly digest: string;
  readonly kind: IssueKind;
  readonly title: string;
  /** Events ever counted, not rows kept. */
  readonly events: number;
  readonly first_seen_ms: number;
  readonly last_seen_ms: number;
  readonly first_release: string | null;
  readonly last_release: string | null;
  readonly status: Generated<IssueStatus>;
  /** When people last changed it; what happened before does not reopen it. */
  readonly status_ms: Generated<number>;
  /** With `resolved`: events of earlier releases do not reopen it. */
  readonly resolved_release: string | null;
  readonly regressed_ms: number | null;
  /** Different people counted so far. */
  readonly users: Generated<number>;
}

/** The other half of a failure: `digest` is what an event of the issue named as the server's. */
interface IssueRelationTable {
  readonly issue_id: number;
  readonly digest: string;
}

interface IssueHourTable {
  readonly issue_id: number;
  readonly hour_ms: number;
  readonly events: number;
}

interface EventTable {
  readonly id: Generated<number>;
  readonly project_id: number;
  /** 32 hex digits; the first ten are the reference people read out, so that one index finds both. */
  readonly event_id: string;
  readonly issue_id: number;
  readonly received_ms: number;
  readonly occurred_ms: number;
  readonly release: string | null;
  readonly environment: string | null;
  readonly path: string | null;
  readonly browser: string | null;
  readonly person: string | null;
  /** What the event takes in the database: retention adds it up. */
  readonly bytes: number;
  /** 1 for a repeat that was kept in brief, else 0. */
  readonly is_brief: number;
  /** See stored-event.ts. */
  readonly payload: Uint8Array;
  /** Identity of the spool it came through: whether that one still holds it, only that one knows. */
  readonly spool: number | null;
}

interface FeedbackTable {
  readonly id: Generated<number>;
  readonly project_id: number;
  readonly feedback_id: string;
  /** The event it speaks of. */
  readonly event_id: string | null;
  /** That event's issue; null until the event is there. */
  readonly issue_id: number | null;
  readonly received_ms: number;
  readonly name: string | null;
  readonly contact: string | null;
  readonly message: string;
  readonly url: string | null;
}

interface SessionTable {
  readonly token_hash: string;
  /** Names it in lists; opens nothing. */
  readonly id: string;
  readonly who: string;
  readonly role: Role;
  readonly way: SessionWay;
  readonly token_proof: string | null;
  readonly created_ms: number;
  readonly last_seen_ms: number;
}

interface NoteTable {
  readonly id: Generated<number>;
  readonly issue_id: number;
  readonly at_ms: number;
  readonly author: string;
  readonly body: string;
}

/** Releases in the order in which they came. */
interface ReleaseTable {
  readonly project_id: number;
  readonly name: string;
  readonly first_seen_ms: number;
}

/** What events of an issue had in common with those of others. */
interface IssueFactTable {
  /** What `value` is; see facts.ts. */
  readonly kind: FactKind;
  readonly value: string;
  readonly issue_id: number;
  /** When such an event last arrived, to the hour: once an hour is often enough to write it. */
  readonly last_seen_ms: number;
}

/** What words an issue is found by. */
interface IssueTextTable {
  readonly issue_id: number;
  /** In small letters; see ingest/issue-text.ts. */
  readonly body: string;
  /** Of what does not change from one event to the next: the same one, and the text needs not be written again. */
  readonly fingerprint: string;
}

interface AuditTable {
  readonly id: Generated<number>;
  readonly at_ms: number;
  readonly who: string;
  readonly role: Role;
  readonly action: string;
  readonly target: string | null;
  readonly detail: string | null;
}

/** See erasure/erasure-rule.ts. */
interface ErasureTable {
  readonly id: Generated<number>;
  readonly at_ms: number;
  readonly kind: ErasureKind;
  readonly value: string;
  readonly salt: string;
  /** When the rows were gone; null while they are looked for, or where that was cut off. */
  readonly finished_ms: number | null;
}

interface CounterTable {
  readonly name: string;
  readonly value: number;
}

/** A queued webhook delivery. Its body is rendered when it is claimed. */
interface WebhookDeliveryTable {
  readonly id: Generated<number>;
  /** A UUID: the receiver recognises a repeat by it. Ids of rows are reused by SQLite. */
  readonly delivery_id: string;
  readonly event: WebhookBody['event'];
  /** Null for a summary. */
  readonly issue_id: number | null;
  /** How many issues it reports; for a summary of all it replaced. */
  readonly new_issues: number;
  readonly regressed_issues: number;
  readonly created_ms: number;
  readonly due_ms: number;
  readonly attempts: number;
}

/** The issues that a summary names, in the order of `place`. */
interface WebhookSummaryIssueTable {
  readonly summary_id: number;
  readonly place: number;
  readonly issue_id: number;
}

interface SourceMapTable {
  readonly debug_id: string;
  /** Path of the script below its client, `assets/index-ab12.js`. */
  readonly script: string;
  readonly release: string | null;
  /** When a start last found it, or an event used it. */
  readonly seen_ms: number;
  readonly size: number;
  readonly body: Uint8Array;
}
