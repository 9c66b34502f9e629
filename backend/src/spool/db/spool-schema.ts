import { closeSync, openSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isDamage } from '../../sqlite/database-file.ts';
import { completeRescue } from '../../sqlite/rescue-file.ts';
import type { TypedDatabase } from '../../sqlite/typed-database.ts';
import { PAGE_BYTES } from '../protocol/disk-bytes.ts';

/** First SQLite without the WAL-reset bug that could corrupt a database under concurrent checkpoints. */
const MIN_SQLITE = [3, 51, 3] as const;
/** Size of the log at which SQLite checkpoints it; a damaged bit loses all later frames of the log. */
const CHECKPOINT_BYTES = 4 * 2 ** 20;
const JOURNAL_LIMIT_BYTES = 2 * CHECKPOINT_BYTES;

/** Raised with each change of the tables that an older version cannot read; not when a table is added. */
const SCHEMA_VERSION = 2;

/** Last time of a Date, ms: https://tc39.es/ecma262/#sec-time-values-and-time-range */
const LAST_TIME_MS = 8.64e15;

/**
 * Envelopes have a narrow row of about 60 bytes, apart from their bytes: finding the next envelopes of a class among
 * 100,000 takes milliseconds, and an update of the status does not rewrite the bytes.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS project (id INTEGER PRIMARY KEY, dsn TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE IF NOT EXISTS envelope (
    id INTEGER PRIMARY KEY,
    project INTEGER NOT NULL,
    class INTEGER NOT NULL,
    lifetime INTEGER NOT NULL,
    received_at_ms INTEGER NOT NULL,
    monotonic_at_ms INTEGER,
    queued_at_ms INTEGER NOT NULL,
    pending INTEGER NOT NULL,
    disk_bytes INTEGER NOT NULL,
    fate INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '',
    digest TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS repeat ON envelope (digest, id) WHERE digest IS NOT NULL;
  CREATE TABLE IF NOT EXISTS body (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    event_id TEXT,
    sender TEXT NOT NULL,
    header BLOB NOT NULL,
    stored BLOB NOT NULL,
    is_gzip INTEGER NOT NULL,
    crc INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS sequence (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO sequence (name, value) VALUES ('envelope', 0) ON CONFLICT DO NOTHING;
  CREATE TABLE IF NOT EXISTS boot (id TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS ledger (
    fate TEXT NOT NULL, reason TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (fate, reason)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS discard (
    project INTEGER NOT NULL, reason TEXT NOT NULL, category TEXT NOT NULL,
    quantity INTEGER NOT NULL, unreported INTEGER NOT NULL, PRIMARY KEY (project, reason, category)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS dead_letter (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project INTEGER NOT NULL,
    class INTEGER NOT NULL,
    lifetime INTEGER NOT NULL,
    pending INTEGER NOT NULL,
    received_at_ms INTEGER NOT NULL,
    dead_lettered_at_ms INTEGER NOT NULL,
    source TEXT NOT NULL,
    event_id TEXT,
    sender TEXT NOT NULL,
    header BLOB NOT NULL,
    stored BLOB NOT NULL,
    is_gzip INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    is_whole INTEGER NOT NULL,
    reason TEXT NOT NULL,
    status INTEGER,
    detail TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS lost_event (
    id INTEGER PRIMARY KEY,
    event_id TEXT NOT NULL,
    project INTEGER NOT NULL,
    bits INTEGER NOT NULL,
    fate TEXT NOT NULL,
    reason TEXT NOT NULL,
    status INTEGER,
    at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS lost_event_id ON lost_event (event_id);
  CREATE TABLE IF NOT EXISTS dedup (id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, keys BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS rate_limit (
    project INTEGER NOT NULL, category TEXT NOT NULL, until_ms INTEGER NOT NULL, reason TEXT,
    PRIMARY KEY (project, category)
  ) STRICT, WITHOUT ROWID;
`;

/**
 * Opens the spool's database with durable settings: WAL with synchronous=FULL fsyncs each commit (NORMAL lost
 * acknowledged rows in a power-loss test), and max_page_count stops it before the disk is full (a full disk blocks a
 * WAL database: even DELETE fails). secure_delete overwrites delivered and erased rows, so that the raw file does not
 * expose them. Its cost is too small to measure, as new rows overwrite the same pages anyway.
 *
 * A damaged file is moved aside as `spool.db.unreadable-<time>`, and a copy of all that can be read of it takes its place;
 * where there can be none, a new file, so that new envelopes are accepted.
 *
 * @param maxBytes cap of the file, including index tables and dead letters.
 * @param read reads the state needed at the start; a damage error from it counts as damage of the file.
 * @param rescue replaces a damaged file.
 * @param isDamaged whether an earlier thread met the damage.
 * @throws Error when the directory cannot be written, SQLite is too old, or another version wrote the file.
 */
export function openSpoolDatabase<T>(
  path: string,
  maxBytes: number,
  read: (database: TypedDatabase) => T,
  rescue: () => void,
  isDamaged: boolean,
): { readonly database: TypedDatabase; readonly value: T } {
  completeRescue(path);
  if (!isDamaged) {
    try {
      return openAndRead(path, maxBytes, read);
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
  }
  rescue();
  return openAndRead(path, maxBytes, read);
}

/** Makes the tables of a file that gets the rows of a damaged one. */
export function createTables(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec(`${SCHEMA}; DELETE FROM sequence; PRAGMA user_version = ${SCHEMA_VERSION}`);
  return database;
}

/**
 * Returns the SQL that reads a time for the console: NULL where a damaged page holds something that no Date has, because one
 * such row must not fail the list of all.
 */
export function timeIn(column: string): string {
  return `iif(typeof(${column}) = 'integer' AND ${column} BETWEEN 0 AND ${LAST_TIME_MS}, ${column}, NULL)`;
}

/** Sets the cap of the open file. SQLite keeps it at the present size at least. */
export function limitFile(database: TypedDatabase, maxBytes: number): void {
  database.exec(`PRAGMA max_page_count = ${Math.ceil(maxBytes / PAGE_BYTES)}`);
}

function openAndRead<T>(
  path: string,
  maxBytes: number,
  read: (database: TypedDatabase) => T,
): { readonly database: TypedDatabase; readonly value: T } {
  const database = prepare(path, maxBytes);
  try {
    return { database, value: read(database) };
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepare(path: string, maxBytes: number): TypedDatabase {
  // Created first with mode 0600: other users of the machine must not read events with personal data.
  closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path) as TypedDatabase;
  try {
    assertVersion(process.versions['sqlite'] ?? '');
    database.exec(`
      PRAGMA page_size = ${PAGE_BYTES};
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA secure_delete = ON;
      PRAGMA wal_autocheckpoint = ${CHECKPOINT_BYTES / PAGE_BYTES};
      PRAGMA journal_size_limit = ${JOURNAL_LIMIT_BYTES};
    `);
    limitFile(database, maxBytes);
    assertSchema(database, path);
    database.exec(SCHEMA);
    setVersion(database);
    forgetOtherBoot(database, bootId());
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Clears times of the monotonic clock that come from an earlier boot: they do not compare with the current ones. */
function forgetOtherBoot(database: TypedDatabase, current: string | null): void {
  const last = database.prepare('SELECT id FROM boot').get()?.['id'];
  if (last !== undefined && last === current) return;
  database.exec('UPDATE envelope SET monotonic_at_ms = NULL; DELETE FROM boot');
  if (current !== null) database.prepare('INSERT INTO boot (id) VALUES (?)').run(current);
}

/** Writes the version only if it differs, so that a spool opens on a full disk. */
function setVersion(database: TypedDatabase): void {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version !== SCHEMA_VERSION) database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}

/** Rejects the file of another version: only that version can deliver its envelopes. */
function assertSchema(database: TypedDatabase, path: string): void {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  const { tables } = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as {
    tables: number;
  };
  if (tables === 0 || version === SCHEMA_VERSION) return;
  throw new Error(
    `${path} was written by another version of Errata (${version}, not ${SCHEMA_VERSION}); let that version deliver what it holds, or move the file away`,
  );
}

/** Takes the version from Node: a query before the exclusive lock needs a `spool.db-shm`, for which a full disk has no room. */
function assertVersion(version: string): void {
  const parts = version.split('.').map(Number);
  for (const [index, least] of MIN_SQLITE.entries()) {
    const part = parts[index] ?? 0;
    if (part > least) return;
    if (part < least)
      throw new Error(`SQLite ${version} is older than ${MIN_SQLITE.join('.')}; use a newer Node`);
  }
}

/** Returns the id of this boot of the machine; null on systems other than Linux. */
function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}
