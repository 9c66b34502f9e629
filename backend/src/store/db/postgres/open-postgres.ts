import { CompiledQuery, type DatabaseConnection, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { StoreDatabase, StoreTables } from '../schema.ts';

/** Ingest uses two connections at a time, look-ups the others. Six replicas stay far below PostgreSQL's default of 100. */
const MAX_CONNECTIONS = 5;
/** Time in which a lost server is detected. The relay then delivers the batch again. */
const CONNECT_TIMEOUT_MS = 3_000;
/** Far above the time of any statement here. A lock or a dead connection must not block the thread's batch forever. */
const STATEMENT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 60_000;

/** Opens the shared database. Connects lazily, so that Errata can start while the server is down. */
export function openPostgres(url: string): StoreDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    // Ends a query that hangs in the network; the server ends its own hanging statements first.
    query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
    application_name: 'errata',
    types: { getTypeParser },
  });
  // A lost idle connection is harmless, because the pool opens a new one. Without a listener the event ends the thread.
  pool.on('error', () => undefined);
  const dialect = new PostgresDialect({ pool, onCreateConnection: setUp });
  return { db: new Kysely<StoreTables>({ dialect }), flavor: 'postgres' };
}

/**
 * Sets the options of a connection by statements, because poolers such as PgBouncer reject them as connection parameters.
 * A commit must be as durable as the spool's, so the defaults of the server or the role do not apply. Each query has an
 * index, but until the server has statistics (a minute after a table was filled) its planner prefers to read whole tables:
 * a flood on a new database would get slower with every event.
 */
async function setUp(connection: DatabaseConnection): Promise<void> {
  const settings = `set synchronous_commit = on; set statement_timeout = ${STATEMENT_TIMEOUT_MS}; set enable_seqscan = off`;
  await connection.executeQuery(CompiledQuery.raw(settings));
}

/** Returns a parser that reads counts, ids and times as numbers, all far below 2^53. `pg` returns int8 and numeric as text. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  const isText = format === undefined || format === 'text';
  if (isText && (oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC)) return Number;
  return pg.types.getTypeParser(oid, format ?? 'text') as (value: string) => unknown;
}
