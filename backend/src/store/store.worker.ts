import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { ClientMaps } from '../sourcemap/client-maps.ts';
import { isLastingFault } from './db/database-errors.ts';
import type { OnFault } from './ingest/ingest.ts';
import { ownApplication } from './event/own-files.ts';
import { EventMaps } from './source-maps/event-maps.ts';
import { StoredMaps } from './source-maps/stored-maps.ts';
import { openPostgres } from './db/postgres/open-postgres.ts';
import type { StoreDatabase } from './db/schema.ts';
import { SqlEventStore } from './sql-event-store.ts';
import { openSqlite } from './db/sqlite/open-sqlite.ts';
import type { ProcedureName } from './procedures.ts';
import type { StoreReply, StoreRequest, StoreWorkerData } from './store-messages.ts';

/** Arguments as they came through the port: the caller's types have checked them. */
type AnyAsk = (call: ProcedureName, ...args: readonly unknown[]) => Promise<unknown>;

/** The thread the store lives in: parsing, mapping and a synchronous database never block the HTTP thread. */

function openDatabase({ databaseUrl, file, maxFileBytes }: StoreWorkerData, onFault: OnFault): StoreDatabase {
  return databaseUrl === null ? openSqlite(file, maxFileBytes, onFault) : openPostgres(databaseUrl);
}

function perform(store: SqlEventStore, request: StoreRequest): Promise<unknown> {
  switch (request.kind) {
    case 'take':
      return store.take(request.packed);
    case 'ask':
      return (store.ask as AnyAsk).call(store, request.call, ...request.args);
    case 'close':
      return store.close();
  }
}

async function answer(store: SqlEventStore, request: StoreRequest): Promise<StoreReply> {
  const { id } = request;
  try {
    return { kind: 'result', id, result: await perform(store, request) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'failure', id, message, isLasting: isLastingFault(error) };
  }
}

async function run(port: MessagePort, data: StoreWorkerData): Promise<void> {
  const onFault = (fault: unknown): void => port.postMessage({ kind: 'fault', fault } satisfies StoreReply);
  const { clientDirs, applicationRoot, release, spool } = data;
  const database = openDatabase(data, onFault);
  const client = await ClientMaps.open(...clientDirs);
  const maps = new EventMaps(client, new StoredMaps(database.db, Date.now), release);
  const webhook = data.webhook === undefined ? undefined : { ...data.webhook, now: Date.now };
  const read = { maps, own: ownApplication(applicationRoot), webhook, spool };
  const store = new SqlEventStore(database, { read, onFault, now: Date.now, client });
  port.on('message', (request: StoreRequest) => {
    void answer(store, request).then((reply) => {
      port.postMessage(reply);
      if (request.kind === 'close') port.close();
    });
  });
}

if (parentPort !== null) await run(parentPort, workerData as StoreWorkerData);
