import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { isDamage, moveAside } from '../../../sqlite/database-file.ts';
import type { StoreDatabase, Tables } from '../schema.ts';
import { needRoom } from './free-space.ts';
import { NodeSqliteDialect } from './node-sqlite-dialect.ts';

/** How long a write waits for another process on the file, such as a backup. */
const BUSY_TIMEOUT_MS = 5_000;
/**
 * The WAL is cut back to this after a checkpoint, and written back when it has grown to it. An event touches some ten
 * pages of indexes: at 16 MiB a flood writes the same ones back after every few hundred events and is a tenth slower.
 * A longer one would be more for a flipped bit in it to take.
 */
const MAX_WAL_BYTES = 64 * 1024 * 1024;
const CHECKPOINT_PAGES = MAX_WAL_BYTES / 4096;
/** Page cache: the upper levels of the indexes. With 16 MiB ingest is 2 % faster, which its memory is not worth. */
const CACHE_KIB = 8 * 1024;

/** Only the process itself reads what people reported. */
const FILE_MODE = 0o600;

/**
 * Opens the embedded database. Synchronous: only ever in the store's worker thread.
 *
 * A file that cannot be read is moved aside and a new one begun: without a store nothing would be delivered, and
 * the spool would fill until errors are refused. `onFault` hears of it.
 *
 * @param maxBytes cap of the file. A full disk wedges a WAL database (even DELETE fails); the cap comes first.
 */
export function openSqlite(
  file: string,
  maxBytes: number,
  onFault: (fault: unknown) => void = () => undefined,
): StoreDatabase {
  const database = openReadable(file, maxBytes, onFault);
  return {
    db: new Kysely<Tables>({ dialect: new NodeSqliteDialect(database) }),
    flavor: 'sqlite',
    needRoom: () => needRoom(file, database),
  };
}

function openReadable(file: string, maxBytes: number, onFault: (fault: unknown) => void): DatabaseSync {
  try {
    return openFile(file, maxBytes);
  } catch (error) {
    if (!isDamage(error)) throw error;
    const aside = moveAside(file);
    onFault(new Error(`the store could not be read, was moved to ${aside} and begun anew`, { cause: error }));
    return openFile(file, maxBytes);
  }
}

/**
 * WAL with synchronous=FULL: the store settles an envelope only after a commit that survives power loss
 * (NORMAL lost 592 of 1,392 rows in a power-loss test). `secure_delete` overwrites what retention or an
 * erasure deletes: nothing of it may stay readable in the raw file.
 */
function openFile(file: string, maxBytes: number): DatabaseSync {
  closeSync(openSync(file, 'a', FILE_MODE));
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  try {
    database.exec(`
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma wal_autocheckpoint = ${CHECKPOINT_PAGES};
      pragma journal_size_limit = ${MAX_WAL_BYTES};
      pragma secure_delete = on;
      pragma temp_store = memory;
      pragma cache_size = -${CACHE_KIB};
      select count(*) from sqlite_schema;
    `);
    const pageBytes = Number(database.prepare('pragma page_size').get()?.['page_size']);
    database.exec(`pragma max_page_count = ${Math.max(1, Math.floor(maxBytes / pageBytes))}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
