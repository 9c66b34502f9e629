import type { DatabaseSync } from 'node:sqlite';
import type { DiskRoom } from '../schema.ts';

const MIB = 2 ** 20;
/** SQLite's default. */
const PAGE_BYTES = 4096;
/**
 * Free space that the store leaves to the spool on the same disk, which must always be able to delete delivered envelopes:
 * its disk reserve, its write-ahead log, and as much again, because other programs write, too. With 3 MiB the store's log
 * used up the reserve that the spool had just released.
 */
const SPOOL_BYTES = 24 * MIB;
/** A batch needs its own size in the log, in the file, and for indexes. */
const BATCH_FACTOR = 3;
/** Free space below which batches are small and the log is emptied after each. */
const SHORT_BYTES = 64 * MIB;
const SHORT_BATCH_BYTES = MIB;
/** SQLite's own maximum (https://sqlite.org/limits.html): what a migration writes is known, unlike the data of clients. */
const MAX_PAGES = 4_294_967_294;

/** Keeps the store's writes within the free space of its disk and the maximum sizes of its files. */
export class SqliteRoom implements DiskRoom {
  readonly #database: DatabaseSync;
  readonly #freeBytes: () => number;
  #maxFileBytes = 0;
  #isMigrating = false;

  constructor(database: DatabaseSync, freeBytes: () => number) {
    this.#database = database;
    this.#freeBytes = freeBytes;
  }

  batchBytes(bytes: number): number {
    return this.#freeBytes() < Math.max(SHORT_BYTES, neededBytes(bytes)) ? SHORT_BATCH_BYTES : Infinity;
  }

  need(bytes: number): void {
    const needed = neededBytes(bytes);
    if (this.#freeBytes() >= needed) return;
    this.#truncateLog();
    if (this.#freeBytes() < needed) {
      throw new Error(`the disk of the store has less than ${Math.ceil(needed / MIB)} MiB left`);
    }
  }

  wrote(): void {
    if (this.#freeBytes() < SHORT_BYTES) this.#truncateLog();
  }

  limit(maxFileBytes: number, maxLogBytes: number): void {
    this.#maxFileBytes = maxFileBytes;
    this.#database.exec(`
      pragma wal_autocheckpoint = ${pagesOf(maxLogBytes)};
      pragma journal_size_limit = ${maxLogBytes};
    `);
    this.#limitFile();
  }

  setMigrating(isMigrating: boolean): void {
    this.#isMigrating = isMigrating;
    this.#limitFile();
  }

  #limitFile(): void {
    const pages = this.#isMigrating ? MAX_PAGES : pagesOf(this.#maxFileBytes);
    this.#database.exec(`pragma max_page_count = ${pages}`);
  }

  #truncateLog(): void {
    this.#database.exec('pragma wal_checkpoint(truncate)');
  }
}

function pagesOf(bytes: number): number {
  return Math.max(1, Math.floor(bytes / PAGE_BYTES));
}

function neededBytes(bytes: number): number {
  return SPOOL_BYTES + BATCH_FACTOR * bytes;
}
