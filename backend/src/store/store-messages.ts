import type { Settlement } from '../sink/sink.ts';
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

/** Calls of the thread: an ingest, whose buffers change hands, a procedure by name, and the end. */
export interface StoreCalls {
  readonly take: { readonly work: PackedEnvelopes; readonly reply: readonly Settlement[] };
  readonly ask: {
    readonly work: { readonly call: ProcedureName; readonly args: readonly unknown[] };
    readonly reply: unknown;
  };
  readonly close: { readonly work: null; readonly reply: void };
}

/** Code of a failure that would repeat; all others mean that the database is away. */
export const LASTING = 'lasting';
