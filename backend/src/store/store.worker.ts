import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { ClientMaps } from '../sourcemap/client-maps.ts';
import { postNotice, serveCalls } from '../thread/worker-rpc.ts';
import { completeRescue } from '../sqlite/rescue-file.ts';
import { isDamage } from '../sqlite/database-file.ts';
import { isLastingFault, isRefusal, throwDamage, UnusableDatabase } from './db/database-errors.ts';
import { rescueStore } from './rescue-store.ts';
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

/** Opens the database; undefined where its file is damaged. */
function openDatabase({ databaseUrl, file, limits, isDamaged }: StoreWorkerData): StoreDatabase | undefined {
  if (databaseUrl !== null) return openPostgres(databaseUrl);
  completeRescue(file);
  if (isDamaged === true) return undefined;
  try {
    return openSqlite(file, limits.maxFileBytes, { maxLogBytes: limits.maxLogBytes });
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

/**
 * Opens the store and replies to the calls of the port. While a damaged file is replaced, it refuses them: look-ups get 503,
 * and envelopes wait in the spool.
 *
 * @throws when the database has no room or cannot be opened.
 */
export async function serve(port: MessagePort, data: StoreWorkerData): Promise<void> {
  const database = openDatabase(data);
  if (database !== undefined) {
    const store = await openStore(port, data, database);
    serveCalls<StoreCalls>(port, { calls: callsOf(() => store), codeOf });
    return;
  }
  let store: Store | undefined;
  const closing = new AbortController();
  const calls = callsOf(() => {
    if (store === undefined) throw new Error('the store is being rebuilt');
    return store;
  });
  const close = (): Promise<void> => {
    closing.abort();
    return store?.close() ?? Promise.resolve();
  };
  serveCalls<StoreCalls>(port, { calls: { ...calls, close }, codeOf });
  try {
    const moved = await rescueStore(data.file, closing.signal);
    const rescued = openSqlite(data.file, data.limits.maxFileBytes, { maxLogBytes: data.limits.maxLogBytes });
    store = await openStore(port, data, rescued);
    postNotice(port, { moved } satisfies StoreNotice);
  } catch (error) {
    if (!closing.signal.aborted) throw error;
  }
}

async function openStore(port: MessagePort, data: StoreWorkerData, database: StoreDatabase): Promise<Store> {
  const onFault = (fault: unknown): void =>
    postNotice(port, isRefusal(fault) ? ({ refusal: fault.message } satisfies StoreNotice) : fault);
  const { clientDirs, applicationRoot, served, spool } = data;
  const { retention } = data.limits;
  const client = await ClientMaps.open(...clientDirs);
  const maps = new EventMaps(client, new StoredMaps(database.db, Date.now), served);
  const alerts = { ...data.alerts, now: Date.now };
  const read = { maps, own: ownApplication(applicationRoot), alerts, spool };
  return new Store(database, { read, onFault, now: Date.now, retention, client });
}

/** Calls of the thread. */
export type StoreCalls = ReturnType<typeof callsOf>;

function callsOf(store: () => Store) {
  return {
    /** Stores a batch, whose buffers change hands. */
    take: (packed: PackedStoreBatch) => store().take(packed),
    ask: (procedure: ProcedureName, args: readonly unknown[]) =>
      (store().ask as AnyAsk).call(store(), procedure, ...args),
    limit: (limits: StoreLimits) => store().limit(limits),
    close: () => store().close(),
  };
}

function codeOf(error: unknown): string {
  throwDamage(error);
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
