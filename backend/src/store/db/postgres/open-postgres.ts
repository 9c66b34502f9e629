import { CompiledQuery, type DatabaseConnection, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { StoreDatabase, Tables } from '../schema.ts';

/**
 * Ingest takes two connections at a time, look-ups the others. Six replicas stay far below PostgreSQL's
 * default of 100.
 */
const MAX_CONNECTIONS = 5;
/** A server that is gone is found out within this; the relay offers the batch again. */
const CONNECT_TIMEOUT_MS = 3_000;
/** No statement of ours comes near it; a lock or a dead connection must not hold the thread's batch for ever. */
const STATEMENT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 60_000;

/** Opens the shared database: lazily, so that a server that is down does not stop the start. */
export function openPostgres(url: string): StoreDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    // For one that hangs on the network; those that hang on the server end there first.
    query_timeout: STATEMENT_TIMEOUT_MS + 1_000,
    application_name: 'errata',
    types: { getTypeParser },
  });
  // An idle connection that is cut is no fault: the pool makes a new one. Unheard, it would end the thread.
  pool.on('error', () => undefined);
  const dialect = new PostgresDialect({ pool, onCreateConnection: setUp });
  return { db: new Kysely<Tables>({ dialect }), flavor: 'postgres' };
}

/**
 * By statements and not as parameters of the connection: poolers such as PgBouncer refuse those. A commit must be
 * as durable as the spool's, whatever the server's or the role's default. Each query has an index to go by, but before
 * the server has gathered statistics (a minute after a table was filled) it would rather read whole tables: a flood on
 * a new database gets slower with every event.
 */
async function setUp(connection: DatabaseConnection): Promise<void> {
  const settings = `set synchronous_commit = on; set statement_timeout = ${STATEMENT_TIMEOUT_MS}; set enable_seqscan = off`;
  await connection.executeQuery(CompiledQuery.raw(settings));
}

/** Counts, ids and times come as numbers: all lie far below 2^53. `pg` gives int8 and numeric as text. */
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  const isText = format === undefined || format === 'text';
  if (isText && (oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC)) return Number;
  return pg.types.getTypeParser(oid, format ?? 'text') as (value: string) => unknown;
}
