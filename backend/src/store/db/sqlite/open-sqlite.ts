import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { freeBytes as freeBytesOf } from '../../../sqlite/disk-space.ts';
import type { StoreDatabase, StoreTables } from '../schema.ts';
import { NodeSqliteDialect } from './node-sqlite-dialect.ts';
import { SqliteRoom } from './sqlite-room.ts';

/** Longest time that a write waits for another process on the file, such as a backup. */
const BUSY_TIMEOUT_MS = 5_000;
/** Default limit of the write-ahead log. */
const MAX_LOG_BYTES = 64 * 2 ** 20;
/** Page cache for the upper levels of the indexes. 16 MiB makes ingest only 2 % faster. */
const CACHE_KIB = 8 * 1024;

/** Readable by the owner only, because events contain personal data. */
const FILE_MODE = 0o600;

export interface SqliteOptions {
  /** Size at which the write-ahead log is checkpointed, and to which it is then truncated. */
  readonly maxLogBytes?: number;
  /** Returns the free space of the file's disk. */
  readonly freeBytes?: () => number;
}

/**
 * Opens the embedded database. It is synchronous and must run only in the store's worker thread.
 *
 * @param maxBytes limit of the file. On a full disk a WAL database is stuck, because even DELETE fails; the limit acts first.
 */
export function openSqlite(file: string, maxBytes: number, options: SqliteOptions = {}): StoreDatabase {
  const { maxLogBytes = MAX_LOG_BYTES, freeBytes = () => freeBytesOf(dirname(file)) } = options;
  const database = openFile(file);
  const room = new SqliteRoom(database, freeBytes);
  room.limit(maxBytes, maxLogBytes);
  return {
    db: new Kysely<StoreTables>({ dialect: new NodeSqliteDialect(database) }),
    flavor: 'sqlite',
    room,
  };
}

/**
 * Opens the file in WAL mode with synchronous=FULL, because the store settles an envelope only after a commit that survives
 * a power loss (NORMAL lost 592 of 1,392 rows in a power-loss test). `secure_delete` overwrites the rows that retention or
 * an erasure deletes, so that they cannot be read from the raw file.
 */
function openFile(file: string): DatabaseSync {
  closeSync(openSync(file, 'a', FILE_MODE));
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  try {
    database.exec(`
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma secure_delete = on;
      pragma temp_store = memory;
      pragma cache_size = -${CACHE_KIB};
      select count(*) from sqlite_schema;
    `);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
