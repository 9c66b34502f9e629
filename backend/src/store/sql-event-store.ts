import type { Settlement } from '../sink/sink.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import type { ClientMaps } from '../sourcemap/client-maps.ts';
import { EventStore } from './event-store.ts';
import { ingest, type OnFault } from './ingest/ingest.ts';
import { IngestCache } from './ingest/ingest-cache.ts';
import type { ReadOptions } from './ingest/read-envelope.ts';
import { migrate } from './db/migrations/migrate.ts';
import type { StoreDatabase } from './db/schema.ts';
import {
  type ProcedureArguments,
  type ProcedureName,
  type ProcedureResult,
  PROCEDURES,
  PURE_PROCEDURES,
} from './procedures.ts';
import type { StoreContext } from './store-context.ts';
import { packForStore, type PackedStoreBatch, unpackForStore } from './event/store-envelope.ts';

export interface SqlEventStoreOptions {
  readonly read: ReadOptions;
  readonly onFault: OnFault;
  readonly now: () => number;
  /** The served client with its source maps. */
  readonly client?: ClientMaps;
}

/**
 * Stores and finds events in either database, with the same queries. It must run in the store's thread, because a query of
 * the embedded database is synchronous.
 *
 * It migrates the database at the first call. While the database is unreachable, it settles every envelope with `retry` and
 * rejects look-ups, and each call tries again.
 */
export class SqlEventStore extends EventStore {
  readonly #database: StoreDatabase;
  readonly #options: SqlEventStoreOptions;
  readonly #cache = new IngestCache();
  #migrated: Promise<void> | null = null;

  constructor(database: StoreDatabase, options: SqlEventStoreOptions) {
    super();
    this.#database = database;
    this.#options = options;
  }

  override ingest(batch: readonly QueuedEnvelope[]): Promise<readonly Settlement[]> {
    return this.take(packForStore(batch));
  }

  /** Stores a batch that was packed for the transfer into the thread; see {@link ingest}. */
  async take(packed: PackedStoreBatch): Promise<readonly Settlement[]> {
    const { read, onFault } = this.#options;
    const batch = unpackForStore(packed);
    try {
      this.#database.needRoom?.();
      const db = await this.#ready();
      await read.maps.refresh?.();
      return await ingest(db, batch, { ...read, cache: this.#cache }, onFault);
    } catch (error) {
      onFault(error);
      return batch.map(() => ({
        outcome: 'retry',
        reason: 'store_unreachable',
        retryAfterMs: null,
        scope: 'sink',
      }));
    }
  }

  override async ask<P extends ProcedureName>(
    procedure: P,
    ...args: ProcedureArguments<P>
  ): Promise<ProcedureResult<P>> {
    const { read, now, client = null } = this.#options;
    const { db, flavor, needRoom } = this.#database;
    const ready = procedure in PURE_PROCEDURES ? db : await this.#ready();
    const context = { db: ready, flavor, read, cache: this.#cache, now, client, needRoom };
    const work = PROCEDURES[procedure] as unknown as (
      context: StoreContext,
      ...args: ProcedureArguments<P>
    ) => Promise<ProcedureResult<P>>;
    return work(context, ...args);
  }

  override async close(): Promise<void> {
    await this.#database.db.destroy();
  }

  /** Migrates the database once. After a failure the next call tries again. */
  async #ready(): Promise<StoreDatabase['db']> {
    this.#migrated ??= migrate(this.#database);
    try {
      await this.#migrated;
      return this.#database.db;
    } catch (error) {
      this.#migrated = null;
      throw error;
    }
  }
}
