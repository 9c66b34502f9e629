import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { Statement, TypedDatabase } from '../../sqlite/typed-database.ts';

/** Bytes of a 64-bit number. */
const WIDTH = 8;
/** Bytes of the watermark: the id, and its CRC-32. */
const WATERMARK_BYTES = 2 * WIDTH;
/** Largest number of envelopes that a damaged file can have lost: more than two years of 50 errors a second. */
const MAX_LOST = 2 ** 32;

/** Assigns envelope ids: each larger than all before, also after a restart with an empty spool. */
export class Sequence {
  readonly #save: Statement;
  readonly #watermark: Watermark;
  /** Acknowledged envelopes that are missing from a damaged file; null where the watermark is damaged. Computed at opening. */
  readonly lost: number | null;
  /** Identifies this file; see {@link identityOf}. */
  readonly identity: number;
  #lastId: number;
  #committed: number;

  constructor(database: TypedDatabase, watermarkPath: string) {
    this.#save = database.prepare("UPDATE sequence SET value = ? WHERE name = 'envelope'");
    const row = database.prepare("SELECT value FROM sequence WHERE name = 'envelope'").get();
    const saved = Number(row?.['value'] ?? 0);
    this.#watermark = new Watermark(watermarkPath);
    const acknowledged = this.#watermark.read();
    const lost = acknowledged === null ? Infinity : Math.max(0, acknowledged - saved);
    this.lost = lost > MAX_LOST ? null : lost;
    this.identity = identityOf(database, this.lost !== 0);
    // Not below the id of a row, where a damaged file has lost its sequence.
    const highest = Number(database.prepare('SELECT max(id) AS id FROM envelope').get()?.['id'] ?? 0);
    this.#lastId = Math.max(saved + (this.lost ?? 0), highest);
    this.#committed = this.#lastId;
  }

  get lastId(): number {
    return this.#committed;
  }

  next(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Writes the last id in the current transaction. */
  flush(): void {
    if (this.#lastId !== this.#committed) this.#save.run(this.#lastId);
  }

  commit(): void {
    if (this.#lastId === this.#committed) return;
    this.#committed = this.#lastId;
    try {
      this.#watermark.write(this.#committed);
    } catch {
      // The watermark only detects damage; the commit is valid without it.
    }
  }

  rollback(): void {
    this.#lastId = this.#committed;
  }

  close(): void {
    this.#watermark.close();
  }
}

/**
 * Stores the last acknowledged id in a file beside the database.
 *
 * One flipped bit in a write-ahead log makes SQLite drop all later frames, without an error and with a clean
 * integrity check. The next start detects and reports that loss by this number. It is written without fsync: after a
 * power loss it may be old, which does not matter, as the fsynced database then has its own number. A wrong number would
 * be the id of the next envelope, which SQLite refuses above 2^63: hence its checksum.
 */
class Watermark {
  readonly #file: number;
  readonly #buffer = Buffer.alloc(WATERMARK_BYTES);

  constructor(path: string) {
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  /** Returns the id; 0 for a new file, null for a damaged one. Files of earlier versions have no checksum. */
  read(): number | null {
    const { size } = fstatSync(this.#file);
    if (size < WIDTH) return 0;
    readSync(this.#file, this.#buffer, 0, WATERMARK_BYTES, 0);
    const id = Number(this.#buffer.readBigUInt64LE());
    const isWhole = size === WIDTH || this.#buffer.readBigUInt64LE(WIDTH) === this.#checksum();
    return isWhole ? id : null;
  }

  write(id: number): void {
    this.#buffer.writeBigUInt64LE(BigInt(id));
    this.#buffer.writeBigUInt64LE(this.#checksum(), WIDTH);
    writeSync(this.#file, this.#buffer, 0, WATERMARK_BYTES, 0);
  }

  #checksum(): bigint {
    return BigInt(crc32(this.#buffer.subarray(0, WIDTH)));
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Returns the last acknowledged id; null where the file that has it is damaged. */
export function readWatermark(path: string): number | null {
  const watermark = new Watermark(path);
  const id = watermark.read();
  watermark.close();
  return id;
}

/**
 * Returns the random number that identifies this spool's file. If an envelope was queued in the spool with this id
 * and is absent from it, it was settled. Lost rows break that conclusion, so the spool then gets a new id.
 */
function identityOf(database: TypedDatabase, hasLostRows: boolean): number {
  if (hasLostRows) database.exec("DELETE FROM sequence WHERE name = 'identity'");
  // 47 bits: a safe integer in JavaScript, and large enough that two replicas do not get the same one by chance.
  database.exec(
    "INSERT INTO sequence (name, value) VALUES ('identity', random() & 0x7fffffffffff) ON CONFLICT DO NOTHING",
  );
  return Number(database.prepare("SELECT value FROM sequence WHERE name = 'identity'").get()?.['value']);
}
