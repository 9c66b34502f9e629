import { closeSync, existsSync, openSync, renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { SpoolLimits } from './spool-messages.ts';

/** First SQLite without the WAL-reset bug that could corrupt a database under concurrent checkpoints. */
const MIN_SQLITE = [3, 51, 3] as const;
const PAGE_BYTES = 4096;
/** Pages in the log before SQLite folds it in: 4 MiB, because a damaged bit loses what lies behind it in the log. */
const CHECKPOINT_PAGES = 1000;
const JOURNAL_LIMIT_BYTES = 8 * 2 ** 20;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS envelope (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project TEXT NOT NULL,
    source TEXT NOT NULL,
    class INTEGER NOT NULL,
    received_at_ms INTEGER NOT NULL,
    event_id TEXT,
    sender TEXT NOT NULL,
    header BLOB NOT NULL,
    items BLOB NOT NULL,
    pending INTEGER NOT NULL,
    fate INTEGER NOT NULL DEFAULT 0,
    crc INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS ledger (fate TEXT PRIMARY KEY, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO ledger (fate, count)
    VALUES ('accepted', 0), ('delivered', 0), ('shed', 0), ('expired', 0), ('dead_lettered', 0)
    ON CONFLICT DO NOTHING;
`;

/**
 * Opens the spool's database with durable settings: WAL with synchronous=FULL fsyncs each commit (NORMAL lost
 * acknowledged rows in a power-loss test), and max_page_count stops it before the disk is full (a full disk
 * wedges a WAL database: not even DELETE works).
 *
 * A file SQLite cannot read is moved aside as `spool.db.unreadable-<time>` and a new one is made: what it held
 * can be examined later, what arrives now is kept.
 *
 * @throws Error when the directory cannot be written, or SQLite is too old.
 */
export function openSpoolDatabase(
  path: string,
  limits: SpoolLimits,
  nowMs: number = Date.now(),
): DatabaseSync {
  try {
    return prepare(path, limits);
  } catch (error) {
    if (!(error instanceof Error) || !/not a database|malformed/i.test(error.message)) throw error;
    for (const suffix of ['', '-wal', '-shm']) {
      if (existsSync(path + suffix)) renameSync(path + suffix, `${path}.unreadable-${nowMs}${suffix}`);
    }
    return prepare(path, limits);
  }
}

function prepare(path: string, limits: SpoolLimits): DatabaseSync {
  // Made first, so that nobody else may read what people were doing when something failed.
  closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path);
  try {
    assertVersion(database);
    database.exec(`
      PRAGMA page_size = ${PAGE_BYTES};
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
      PRAGMA journal_size_limit = ${JOURNAL_LIMIT_BYTES};
      PRAGMA max_page_count = ${Math.max(64, Math.floor(limits.maxBytes / PAGE_BYTES))};
    `);
    database.exec(SCHEMA);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function assertVersion(database: DatabaseSync): void {
  const { version } = database.prepare('SELECT sqlite_version() AS version').get() as { version: string };
  const parts = version.split('.').map(Number);
  for (const [index, least] of MIN_SQLITE.entries()) {
    const part = parts[index] ?? 0;
    if (part > least) return;
    if (part < least)
      throw new Error(`SQLite ${version} is older than ${MIN_SQLITE.join('.')}; use a newer Node`);
  }
}
