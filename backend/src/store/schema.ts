import type { Generated, Kysely, Transaction } from 'kysely';
import type { IssueKind } from '../contract/console-api.ts';

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
  readonly created_ms: number;
  readonly last_seen_ms: number;
}
