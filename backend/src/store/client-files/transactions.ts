import type { Database, DiskRoom } from '../db/schema.ts';

/** A write of one row. */
export type Write = (db: Database) => Promise<void>;

/** Ingest waits for one transaction at most; SQLite writes so much in some milliseconds. */
const MAX_BYTES = 1024 * 1024;
const MAX_WRITES = 64;

/** Joins writes to transactions: one fsync for each transaction, and not for each of 2,000 files. */
export class Transactions {
  readonly #db: Database;
  readonly #disk: DiskRoom | undefined;
  #writes: Write[] = [];
  #bytes = 0;

  /** @param disk limits the writes. */
  constructor(db: Database, disk: DiskRoom | undefined) {
    this.#db = db;
    this.#disk = disk;
  }

  /** Adds a write, after those before it have been committed if they fill a transaction. @throws as {@link end}. */
  async add(bytes: number, write: Write): Promise<void> {
    if (this.#writes.length === MAX_WRITES || this.#bytes + bytes > MAX_BYTES) await this.end();
    this.#writes.push(write);
    this.#bytes += bytes;
  }

  /** Commits the last writes. @throws where the disk or the file of the database is full. */
  async end(): Promise<void> {
    const [writes, bytes] = [this.#writes, this.#bytes];
    if (writes.length === 0) return;
    [this.#writes, this.#bytes] = [[], 0];
    this.#disk?.need(bytes);
    await this.#db.transaction().execute(async (transaction) => {
      for (const write of writes) await write(transaction);
    });
    this.#disk?.wrote();
  }
}
