import type { AuditEntry, Role, SessionWay } from '../../contract/access-api.ts';
import type { QueuedBody } from '../../contract/webhook-api.ts';
import type { Generated } from 'kysely';

/** The tables that hold neither errors nor what is derived from them; see schema.ts. */

/** Single values that every replica must agree on, such as the key of Errata's own project. */
export interface SettingTable {
  readonly name: string;
  readonly value: string;
}

export interface SessionTable {
  readonly token_hash: string;
  /** Public: identifies the session in lists and gives no access. */
  readonly id: string;
  readonly who: string;
  readonly role: Role;
  readonly way: SessionWay;
  readonly token_proof: string | null;
  readonly created_ms: number;
  readonly last_seen_ms: number;
}

export interface AuditTable {
  readonly id: Generated<number>;
  readonly at_ms: number;
  readonly who: string;
  /** `none` for a refused user. */
  readonly role: Role | 'none';
  readonly action: AuditEntry['action'];
  readonly target: string | null;
  readonly detail: string | null;
}

export interface CounterTable {
  readonly name: string;
  readonly value: number;
}

/** A message to one target. Its body is rendered when it is claimed. */
export interface AlertTable {
  readonly id: Generated<number>;
  /** A UUID: the receiver recognises a repeat by it. Ids of rows are reused by SQLite. */
  readonly delivery_id: string;
  /** Start of the SHA-256 of the target's address. */
  readonly target: string;
  readonly event: QueuedBody['type'];
  /** Null for a summary. */
  readonly issue_id: number | null;
  /** The summary that reports it in its place. */
  readonly summary_id: number | null;
  readonly created_ms: number;
  /** Null once it is sent, given up or behind a summary. */
  readonly due_ms: number | null;
  readonly tried_ms: number | null;
  readonly sent_ms: number | null;
  readonly attempts: number;
  /** Code of the last failure. */
  readonly reason: string | null;
  /** 1 for confirmed issues, which are claimed first, else 0. A summary has alerts of one kind. */
  readonly is_confirmed: number;
}

export interface SourceMapTable {
  readonly debug_id: string;
  /** Path of the script below its client, `assets/index-ab12.js`. */
  readonly script: string;
  readonly release: string | null;
  /** Time of its last use, by a start that served its client or by an event. */
  readonly seen_ms: number;
  readonly size: number;
  readonly body: Uint8Array;
}

export interface ClientFileTable {
  /** Below its client, `assets/index-ab12.js`. */
  readonly path: string;
  /** Form of `body`. */
  readonly coding: 'gzip' | 'identity';
  /** Bytes of the file; `size` are those of `body`. */
  readonly length: number;
  readonly size: number;
  /** Time at which a process last served it; exact to a day. */
  readonly seen_ms: number;
  readonly body: Uint8Array;
}
