import type { EventStore } from './event-store.ts';
import type { SqlEventStore } from './sql-event-store.ts';

/** What the store and its worker thread say to each other. */

/** Start data of the worker. */
export interface StoreWorkerData {
  /** `postgres://…`: the store that replicas share. Null: the embedded one in `file`. */
  readonly databaseUrl: string | null;
  /** Path of the embedded database. */
  readonly file: string;
  /** Cap of that file. */
  readonly maxFileBytes: number;
  /** Folder of the built client with its source maps; null when no client is served. */
  readonly clientDir: string | null;
  /** Directory of the application that reports by itself, with the source maps of its compiled files. */
  readonly applicationRoot: string;
}

type Calls = Omit<EventStore, 'ingest'> & Pick<SqlEventStore, 'take'>;
export type CallName = keyof Calls;
export type CallArguments<N extends CallName> = Parameters<Calls[N]>;
export type CallResult<N extends CallName> = Awaited<ReturnType<Calls[N]>>;

export interface StoreRequest<N extends CallName = CallName> {
  readonly id: number;
  readonly name: N;
  readonly arguments: CallArguments<N>;
}

export type StoreReply =
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string }
  /** Something to be logged: the settlements and answers only tell its kind. */
  | { readonly kind: 'fault'; readonly fault: unknown };
