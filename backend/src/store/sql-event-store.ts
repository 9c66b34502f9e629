import type { Settlement } from '../sink/sink.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import type { ClientMaps } from '../sourcemap/client-maps.ts';
import { EventStore } from './event-store.ts';
import { ingest, type OnFault } from './ingest/ingest.ts';
import { IngestCache } from './ingest/ingest-cache.ts';
import type { ReadOptions } from './ingest/read-envelope.ts';
import { isFullFile } from './db/database-errors.ts';
import { migrate } from './db/migrations/migrate.ts';
import type { StoreDatabase } from './db/schema.ts';
import {
  type ProcedureArguments,
  type ProcedureName,
  type ProcedureResult,
  PROCEDURES,
  PURE_PROCEDURES,
} from './procedures.ts';
import type { RetentionLimits } from './retention/retention.ts';
import type { StoreContext } from './store-context.ts';
import {
  packForStore,
  type PackedStoreBatch,
  type StoreEnvelope,
  unpackForStore,
} from './event/store-envelope.ts';

export interface SqlEventStoreOptions {
  readonly read: ReadOptions;
  readonly onFault: OnFault;
  readonly now: () => number;
  /** Limits that retention keeps; without them a full file stays full until the next retention. */
  readonly retention?: RetentionLimits;
  /** The served client with its source maps. */
  readonly client?: ClientMaps;
}

/** Pause between two retentions of a full file. */
const MAKE_ROOM_MS = 60_000;
/** Share of its limit to which a full file is emptied: less would fill again within seconds of a flood. */
const FULL_FILE_SHARE = 0.9;

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
  #madeRoomAtMs = -Infinity;

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
    const { onFault } = this.#options;
    const batch = unpackForStore(packed);
    let isFull = false;
    const settlements = await this.#store(batch, (fault) => {
      isFull ||= isFullFile(fault);
      onFault(fault);
    });
    return isFull && (await this.#makeRoom()) ? this.#store(batch, onFault) : settlements;
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

  async #store(batch: readonly StoreEnvelope[], onFault: OnFault): Promise<readonly Settlement[]> {
    const { read } = this.#options;
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

  /**
   * Runs the retention of a full file at once, because until the next regular one no batch would be stored.
   *
   * @returns whether it ran; false when it did within the last minute.
   */
  async #makeRoom(): Promise<boolean> {
    const { retention, now, onFault } = this.#options;
    const nowMs = now();
    if (retention === undefined || Math.abs(nowMs - this.#madeRoomAtMs) < MAKE_ROOM_MS) return false;
    this.#madeRoomAtMs = nowMs;
    try {
      await this.ask('retain', { ...retention, maxBytes: retention.maxBytes * FULL_FILE_SHARE }, nowMs);
      return true;
    } catch (error) {
      onFault(error);
      return false;
    }
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
