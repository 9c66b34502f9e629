import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { ClientMaps } from '../sourcemap/client-maps.ts';
import { postNotice, serveCalls } from '../thread/worker-rpc.ts';
import { isLastingFault, isRefusal, UnusableDatabase } from './db/database-errors.ts';
import type { OnFault } from './ingest/ingest.ts';
import type { PackedStoreBatch } from './event/store-envelope.ts';
import { ownApplication } from './event/own-files.ts';
import { EventMaps } from './source-maps/event-maps.ts';
import { StoredMaps } from './source-maps/stored-maps.ts';
import { openPostgres } from './db/postgres/open-postgres.ts';
import type { StoreDatabase } from './db/schema.ts';
import { Store } from './store.ts';
import { openSqlite } from './db/sqlite/open-sqlite.ts';
import type { ProcedureName } from './procedures.ts';
import {
  LASTING,
  REFUSED,
  type StoreLimits,
  type StoreNotice,
  type StoreWorkerData,
  UNUSABLE,
} from './store-messages.ts';

/** Arguments from the port: the caller's types have checked them. */
type AnyAsk = (procedure: ProcedureName, ...args: readonly unknown[]) => Promise<unknown>;

/** The thread of the store: parsing, mapping and a synchronous database never block the thread that answers HTTP. */

function openDatabase(data: StoreWorkerData, onFault: OnFault): StoreDatabase {
  const { databaseUrl, file, limits } = data;
  return databaseUrl === null
    ? openSqlite(file, limits.maxFileBytes, { maxLogBytes: limits.maxLogBytes, onFault })
    : openPostgres(databaseUrl);
}

/** Opens the store and replies to the calls of the port. @throws when the database has no room or cannot be opened. */
export async function serve(port: MessagePort, data: StoreWorkerData): Promise<void> {
  const onFault = (fault: unknown): void =>
    postNotice(port, isRefusal(fault) ? ({ refusal: fault.message } satisfies StoreNotice) : fault);
  const { clientDirs, applicationRoot, served, spool } = data;
  const { retention } = data.limits;
  const database = openDatabase(data, onFault);
  const client = await ClientMaps.open(...clientDirs);
  const maps = new EventMaps(client, new StoredMaps(database.db, Date.now), served);
  const webhook = data.webhook === undefined ? undefined : { ...data.webhook, now: Date.now };
  const read = { maps, own: ownApplication(applicationRoot), webhook, spool };
  const store = new Store(database, { read, onFault, now: Date.now, retention, client });
  serveCalls<StoreCalls>(port, { calls: callsOf(store), codeOf });
}

/** Calls of the thread. */
export type StoreCalls = ReturnType<typeof callsOf>;

function callsOf(store: Store) {
  return {
    /** Stores a batch, whose buffers change hands. */
    take: (packed: PackedStoreBatch) => store.take(packed),
    ask: (procedure: ProcedureName, args: readonly unknown[]) =>
      (store.ask as AnyAsk).call(store, procedure, ...args),
    limit: (limits: StoreLimits) => store.limit(limits),
    close: () => store.close(),
  };
}

function codeOf(error: unknown): string {
  if (error instanceof UnusableDatabase) return UNUSABLE;
  if (isRefusal(error)) return REFUSED;
  return isLastingFault(error) ? LASTING : 'unavailable';
}

if (import.meta.main && parentPort !== null) {
  const port = parentPort;
  // In the place of Node's listener, which prints warnings as plain text. The driver of PostgreSQL warns of its sslmode.
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) =>
    postNotice(port, { warning: `${name}: ${message}` } satisfies StoreNotice),
  );
  await serve(port, workerData as StoreWorkerData);
}
