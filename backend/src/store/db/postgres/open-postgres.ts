import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import pg from 'pg';
import type { Database, StoreDatabase, StoreTables } from '../schema.ts';
import { PooledDriver } from './pooled-driver.ts';

/** Ingest uses two connections at a time, reads the others. Six replicas stay far below PostgreSQL's default of 100. */
const MAX_CONNECTIONS = 5;
/** Time in which a lost server is detected. The relay then delivers the batch again. */
const CONNECT_TIMEOUT_MS = 3_000;
const IDLE_TIMEOUT_MS = 60_000;
/**
 * Idle time after which the system probes a connection, and ends it 10 s later without an answer (Node's interval). The
 * system's default is two hours; during a migration nothing else detects a lost server, and a firewall may drop a
 * connection that is quiet for some minutes.
 */
const KEEP_ALIVE_MS = 10_000;

/** Longest times of a statement, ms: on the server, and in the network; 0 for none. */
interface StatementTimeouts {
  readonly serverMs: number;
  readonly clientMs: number;
}

/**
 * Far above the time of any statement here. A lock or a dead connection must not block the thread's batch forever; the
 * server ends its own hanging statements first.
 */
const TIMEOUTS: StatementTimeouts = { serverMs: 10_000, clientMs: 11_000 };

/**
 * A migration may build an index of millions of rows, and other replicas wait for it. A timeout would cancel it, and each
 * further attempt, at the same place.
 */
const MIGRATION_TIMEOUTS: StatementTimeouts = { serverMs: 0, clientMs: 0 };

/**
 * Opens the shared database. Connects lazily, so that Errata can start while the server is down.
 *
 * @param timeouts of all statements but those of migrations.
 */
export function openPostgres(url: string, timeouts: StatementTimeouts = TIMEOUTS): StoreDatabase {
  return {
    db: connect(url, MAX_CONNECTIONS, timeouts),
    flavor: 'postgres',
    openForMigrations: () => connect(url, 1, MIGRATION_TIMEOUTS),
  };
}

function connect(url: string, max: number, { serverMs, clientMs }: StatementTimeouts): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    query_timeout: clientMs,
    application_name: 'errata',
    types: { getTypeParser },
  });
  // A lost idle connection is harmless, because the pool opens a new one. Without a listener the event ends the thread.
  pool.on('error', () => undefined);
  return new Kysely<StoreTables>({
    dialect: {
      createDriver: () => new PooledDriver(pool, settings(serverMs)),
      createAdapter: () => new TransactionAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

/**
 * Returns the query that sets the options of a transaction. A commit must be as durable as the spool's, so the defaults of
 * the server or the role do not apply. Each query has an index, but until the server has statistics (a minute after a table
 * was filled) its planner prefers to read whole tables: a flood on a new database would get slower with every event.
 */
function settings(timeoutMs: number): string {
  const options = { synchronous_commit: 'on', statement_timeout: timeoutMs, enable_seqscan: 'off' };
  const calls = Object.entries(options).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return `select where concat(${calls.join(', ')}) is null`;
}

/** Without Kysely's lock of a session: behind a pooler its end may reach another session. See migrate.ts for the lock. */
class TransactionAdapter extends PostgresAdapter {
  override acquireMigrationLock(): Promise<void> {
    return Promise.resolve();
  }

  override releaseMigrationLock(): Promise<void> {
    return Promise.resolve();
  }
}

/** Returns a parser that reads counts, ids and times as numbers, all far below 2^53. `pg` returns int8 and numeric as text. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  const isText = format === undefined || format === 'text';
  if (isText && (oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC)) return Number;
  return pg.types.getTypeParser(oid, format ?? 'text') as (value: string) => unknown;
}
