import type { ProcedureName } from './procedures.ts';
import type { PackedEnvelopes } from './event/store-envelope.ts';

/** What the store and its worker thread say to each other. */

/** Start data of the worker. */
export interface StoreWorkerData {
  /** `postgres://…`: the store that replicas share. Null: the embedded one in `file`. */
  readonly databaseUrl: string | null;
  /** Path of the embedded database. */
  readonly file: string;
  /** Cap of that file. */
  readonly maxFileBytes: number;
  /** Folders of the built clients that are served, with their source maps. */
  readonly clientDirs: readonly string[];
  /** Directory of the application that reports by itself, with the source maps of its compiled files. */
  readonly applicationRoot: string;
  /** The client is served as. */
  readonly release: string;
  /** Origin for links to the console, where somebody is to be told of issues; undefined where nobody is. */
  readonly webhook?: { readonly publicUrl: string | null } | undefined;
  /** Identity of the spool that envelopes come from. */
  readonly spool: number;
}

/** What the thread is asked for: to take envelopes, which are handed over and not copied, a call, or its end. */
export type StoreWork =
  | { readonly kind: 'take'; readonly packed: PackedEnvelopes }
  | { readonly kind: 'ask'; readonly call: ProcedureName; readonly args: readonly unknown[] }
  | { readonly kind: 'close' };

export type StoreRequest = StoreWork & { readonly id: number };

export type StoreReply =
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  /** `isLasting`: it would fail again; else the database is away. */
  | { readonly kind: 'failure'; readonly id: number; readonly message: string; readonly isLasting: boolean }
  /** Something to be logged: the settlements and answers only tell its kind. */
  | { readonly kind: 'fault'; readonly fault: unknown };
