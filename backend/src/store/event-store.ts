import type { Settlement } from '../sink/sink.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import type { CallArguments, CallResult, StoreCall } from './procedures.ts';

/** What a call answers. */
export type StoreAnswer<C extends StoreCall> = CallResult<C>;

/**
 * Errors, feedback and reports of browsers kept here, found again by digest, reference or event id.
 *
 * The port in front of two adapters (SQLite in the data directory, PostgreSQL shared by replicas) and their
 * Nest token. Both live in one worker thread, so that parsing, digesting, source-mapping and a synchronous
 * database never block the HTTP thread.
 */
export abstract class EventStore {
  /** Stores what is for the store in each envelope; answers after a durable commit, one settlement for each. */
  abstract ingest(batch: readonly QueuedEnvelope[]): Promise<readonly Settlement[]>;

  /**
   * Looks something up, or changes what people have to say about it; see `calls/` for what there is.
   *
   * @throws StoreUnavailable while it cannot be answered.
   */
  abstract ask<C extends StoreCall>(call: C, ...args: CallArguments<C>): Promise<CallResult<C>>;

  abstract close(): Promise<void>;
}
