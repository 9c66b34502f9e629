import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Statement, TypedDatabase } from '../../sqlite/typed-database.ts';
import { PAGE_BYTES } from '../protocol/disk-bytes.ts';
import { isFull } from '../../sqlite/database-file.ts';
import { SpoolFull } from './tables.ts';

/**
 * Room to deliver envelopes on a full disk, with a margin: the spool needs about 2 MiB to delete delivered rows. The store
 * on the same disk stops before it needs any of it (store/db/sqlite/sqlite-room.ts).
 */
const RESERVE_BYTES = 8 * 2 ** 20;
/** Free space needed to accept envelopes while the reserve is released: the size of most commits. */
const NEEDED_BYTES = 2 * 2 ** 20;
/** Free space at which the reserve is restored: twice its size, or the next commit would need it again. */
const RESTORE_BYTES = 2 * RESERVE_BYTES;

/**
 * Keeps a file that only occupies disk space. On a full disk a WAL database is stuck: even DELETE fails, so the disk
 * stays full. Deleting this file gives the database room to delete delivered envelopes.
 *
 * States: reserved -> released (the disk was full) -> reserved (there is room again).
 */
export class DiskReserve {
  readonly #path: string;
  readonly #database: TypedDatabase;
  readonly #freePages: Statement<{ readonly freelist_count: number }>;
  readonly #freeBytes: () => number;
  #isReserved = false;

  /** Writes the file if the disk has room for it. */
  constructor(path: string, database: TypedDatabase, freeBytes: () => number) {
    this.#path = path;
    this.#database = database;
    this.#freePages = database.prepare('PRAGMA freelist_count');
    this.#freeBytes = freeBytes;
    this.#restore();
  }

  /**
   * Returns whether new envelopes have room: on the disk beyond the size of the released reserve, or in free pages of
   * the database file, which deliveries leave. Without either, the log could not be moved into the file, and then
   * deletes would fail too.
   */
  hasRoom(): boolean {
    this.#restore();
    if (this.#isReserved) return true;
    const freePages = this.#freePages.get()?.freelist_count ?? 0;
    return this.#freeBytes() - RESERVE_BYTES + freePages * PAGE_BYTES >= NEEDED_BYTES;
  }

  /** Deletes the file. The log keeps its size: another process could take the room of a shorter one at once. */
  release(): void {
    this.#remove();
    tryCheckpoint(this.#database, 'RESTART');
  }

  #restore(): void {
    if (this.#isReserved) return;
    if (existsSync(this.#path) && statSync(this.#path).size === RESERVE_BYTES) {
      this.#isReserved = true;
      return;
    }
    if (this.#freeBytes() < RESTORE_BYTES) return;
    try {
      // Random, as zeros reserve nothing on a file system that compresses; fsynced, as some assign the space only then.
      writeFileSync(this.#path, randomBytes(RESERVE_BYTES), { mode: 0o600, flush: true });
      this.#isReserved = true;
    } catch {
      // Another process took the room meanwhile; the next commit tries again.
      this.#remove();
    }
  }

  #remove(): void {
    this.#isReserved = false;
    rmSync(this.#path, { force: true });
  }
}

/** Moves the write-ahead log into the database: in a short log, one damaged bit loses fewer commits. */
export function tryCheckpoint(database: TypedDatabase, kind: 'RESTART' | 'TRUNCATE'): void {
  try {
    database.exec(`PRAGMA wal_checkpoint(${kind})`);
  } catch {
    // A full disk can make this fail too. Nothing is lost: a later checkpoint moves the log.
  }
}

/** Opens the spool; turns the error of a full disk into a message that says what to do. */
export function needRoom<T>(directory: string, open: () => T): T {
  try {
    return open();
  } catch (cause) {
    if (!lacksRoom(cause)) throw cause;
    throw new Error(`The disk of ${directory} is full; make room on it and start again`, { cause });
  }
}

/** Runs `work`; on a full disk, makes room and runs `afterwards`, by default `work` again. */
export function withRoom<T>(work: () => T, makeRoom: () => void, afterwards: () => T = work): T {
  try {
    return work();
  } catch (error) {
    if (!lacksRoom(error)) throw error;
    makeRoom();
    return afterwards();
  }
}

function lacksRoom(error: unknown): boolean {
  return isFull(error) || error instanceof SpoolFull;
}
