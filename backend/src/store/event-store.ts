import type { Settlement } from '../sink/sink.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import type { StoreLimits } from './store-messages.ts';
import type { ProcedureArguments, ProcedureName, ProcedureResult } from './procedures.ts';

/**
 * Stores errors, feedback and browser reports, and finds them by digest, reference or event id.
 *
 * {@link StoreThread} is the client of the worker thread, {@link SqlEventStore} does the work in it, on either database:
 * parsing, digesting, source-mapping and a synchronous database never block the HTTP thread. The store must never read the
 * spool or call a network service but its database.
 */
export abstract class EventStore {
  /** Stores the events and feedback of a batch. Returns one settlement for each envelope, after a durable commit. */
  abstract ingest(batch: readonly QueuedEnvelope[]): Promise<readonly Settlement[]>;

  /**
   * Runs a procedure: procedures.ts lists all, `find` and the like are in issue-procedures.ts.
   *
   * @throws StoreUnavailable while the store cannot answer.
   */
  abstract ask<P extends ProcedureName>(
    procedure: P,
    ...args: ProcedureArguments<P>
  ): Promise<ProcedureResult<P>>;

  /** Sets other limits, from the next batch on. @throws StoreUnavailable while the store cannot answer. */
  abstract limit(limits: StoreLimits): Promise<void>;

  abstract close(): Promise<void>;
}
