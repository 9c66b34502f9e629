import type { Settlement } from '../sink/sink.ts';
import type { ClientMaps } from '../sourcemap/client-maps.ts';
import { Semaphore } from '../time/semaphore.ts';
import { ingest, type OnFault, unstoredBy } from './ingest/ingest.ts';
import { IngestCache } from './ingest/ingest-cache.ts';
import type { ReadOptions } from './ingest/read-envelope.ts';
import { SenderCounts } from './ingest/sender-counts.ts';
import { isFullFile, throwDamage } from './db/database-errors.ts';
import { migrate } from './db/migrations/migrate.ts';
import type { DiskRoom, StoreDatabase } from './db/schema.ts';
import {
  type ProcedureArguments,
  type ProcedureName,
  type ProcedureResult,
  PROCEDURES,
  PURE_PROCEDURES,
} from './procedures.ts';
import { EarlyEvictions } from './retention/early-evictions.ts';
import type { RetentionLimits } from './retention/retention.ts';
import type { StoreContext } from './store-context.ts';
import type { StoreLimits } from './store-messages.ts';
import { type PackedStoreBatch, type StoreEnvelope, unpackForStore } from './event/store-envelope.ts';

export interface StoreOptions {
  readonly read: ReadOptions;
  readonly onFault: OnFault;
  readonly now: () => number;
  /** Limits that retention keeps; without them a full file stays full until the next retention. */
  readonly retention?: RetentionLimits;
  /** The served client with its source maps. */
  readonly client?: ClientMaps;
}

/**
 * Most items of one transaction. Some of its statements have parameters for each item, feedback nine, and SQLite accepts 32,766;
 * a batch of 128 envelopes of 1,000 items (envelope/items.ts) had more. A power of two, see compiled-query.ts.
 */
const MAX_ITEMS = 1_024;
/** Pause between two retentions of a full file. */
const MAKE_ROOM_MS = 60_000;
/** Share of its limit, and of its data, to which a full file is emptied: less would fill again within seconds of a flood. */
const FULL_FILE_SHARE = 0.9;

/**
 * Stores and finds events in either database, with the same queries. It runs in the thread of {@link EventStore}, because a
 * query of the embedded database is synchronous. It must never read the spool or call a network service but its database.
 *
 * It migrates the database at the first call. While the database is unreachable, it settles every envelope with `retry` and
 * rejects reads, and each call tries again.
 */
export class Store {
  readonly #database: StoreDatabase;
  readonly #options: StoreOptions;
  readonly #cache = new IngestCache();
  readonly #senders = new SenderCounts(() => this.#retention?.maxBytes ?? Infinity);
  readonly #evictions = new EarlyEvictions();
  readonly #retaining = new Semaphore(1);
  #retention: RetentionLimits | undefined;
  #migrated: Promise<void> | null = null;
  #madeRoomAtMs = -Infinity;
  #taken: Promise<unknown> = Promise.resolve();

  constructor(database: StoreDatabase, options: StoreOptions) {
    this.#database = database;
    this.#options = options;
    this.#retention = options.retention;
  }

  /** Stores a packed batch. Returns one settlement for each envelope, after a durable commit. */
  take(packed: PackedStoreBatch): Promise<readonly Settlement[]> {
    const settled = this.#take(packed);
    this.#taken = Promise.allSettled([this.#taken, settled]);
    return settled;
  }

  async #take(packed: PackedStoreBatch): Promise<readonly Settlement[]> {
    const { onFault } = this.#options;
    const batch = unpackForStore(packed);
    let isFull = false;
    const settlements = await this.#store(batch, (fault) => {
      isFull ||= isFullFile(fault);
      onFault(fault);
    });
    return isFull && (await this.#makeRoom()) ? this.#store(batch, onFault) : settlements;
  }

  /** Runs a procedure on the migrated database. */
  async ask<P extends ProcedureName>(
    procedure: P,
    ...args: ProcedureArguments<P>
  ): Promise<ProcedureResult<P>> {
    const { read, now, client = null } = this.#options;
    const { db, flavor, room } = this.#database;
    const ready = procedure in PURE_PROCEDURES ? db : await this.#ready();
    const own = { cache: this.#cache, evictions: this.#evictions, retaining: this.#retaining };
    const context = { ...own, db: ready, flavor, read, now, client, room };
    const work = PROCEDURES[procedure] as unknown as (
      context: StoreContext,
      ...args: ProcedureArguments<P>
    ) => Promise<ProcedureResult<P>>;
    return work(context, ...args);
  }

  limit({ maxFileBytes, maxLogBytes, retention }: StoreLimits): Promise<void> {
    this.#retention = retention;
    this.#database.room?.limit(maxFileBytes, maxLogBytes);
    return Promise.resolve();
  }

  /** Closes the database after the batches under way. */
  async close(): Promise<void> {
    await this.#taken;
    await this.#database.db.destroy();
  }

  /** Stores a batch in one transaction, or in smaller ones if it has many items or the disk is nearly full. */
  async #store(batch: readonly StoreEnvelope[], onFault: OnFault): Promise<readonly Settlement[]> {
    const { read, now } = this.#options;
    const { room } = this.#database;
    const settlements: Settlement[] = [];
    try {
      for (const part of partsOf(batch, room)) {
        room?.need(bytesOf(part));
        const db = await this.#ready();
        await read.maps.refresh?.();
        const options = { ...read, cache: this.#cache, senders: this.#senders, now };
        settlements.push(...(await ingest(db, part, options, onFault)));
        room?.wrote();
      }
    } catch (error) {
      throwDamage(error);
      onFault(error);
      settlements.push(...batch.slice(settlements.length).map(() => unstoredBy(error)));
    }
    return settlements;
  }

  /**
   * Runs the retention of a full file at once, because until the next regular one no batch would be stored. It deletes no event
   * where feedback above its space was a tenth of the file.
   *
   * @returns whether it ran; false when it did within the last minute.
   */
  async #makeRoom(): Promise<boolean> {
    const { now, onFault } = this.#options;
    const retention = this.#retention;
    const nowMs = now();
    if (retention === undefined || Math.abs(nowMs - this.#madeRoomAtMs) < MAKE_ROOM_MS) return false;
    this.#madeRoomAtMs = nowMs;
    try {
      const limits = {
        ...retention,
        maxBytes: retention.maxBytes * FULL_FILE_SHARE,
        maxShare: FULL_FILE_SHARE,
      };
      // By size only: the clock of this thread may be wrong. The next regular retention deletes by age.
      const { events, feedback } = await this.ask('retain', limits, 0);
      const deleted = `${events} events and ${feedback} entries of feedback were deleted`;
      onFault(new Error(`the file of the store is full: ${deleted}`));
      return true;
    } catch (error) {
      throwDamage(error);
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

function bytesOf(envelopes: readonly StoreEnvelope[]): number {
  const items = envelopes.flatMap((envelope) => envelope.items ?? []);
  return items.reduce((bytes, { payload }) => bytes + payload.byteLength, 0);
}

/** Cuts a batch into parts of {@link MAX_ITEMS} and of as many bytes as the disk allows; a larger envelope is a part of its own. */
function partsOf(
  batch: readonly StoreEnvelope[],
  room: DiskRoom | undefined,
): readonly (readonly StoreEnvelope[])[] {
  const most = room?.batchBytes(bytesOf(batch)) ?? Infinity;
  const parts: StoreEnvelope[][] = [];
  let [bytes, items] = [0, 0];
  for (const envelope of batch) {
    const own = { bytes: bytesOf([envelope]), items: envelope.items?.length ?? 0 };
    bytes += own.bytes;
    items += own.items;
    if (parts.length === 0 || bytes > most || items > MAX_ITEMS) {
      parts.push([]);
      ({ bytes, items } = own);
    }
    parts.at(-1)?.push(envelope);
  }
  return parts;
}
