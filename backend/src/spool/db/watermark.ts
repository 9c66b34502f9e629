import { closeSync, fstatSync, openSync, readSync, writeSync, constants } from 'node:fs';

/** Bytes of a 64-bit number. */
const WIDTH = 8;

/**
 * Stores the last acknowledged id in a file beside the database.
 *
 * One flipped bit in a write-ahead log makes SQLite drop all later frames, without an error and with a clean integrity
 * check. The next start detects and reports that loss by this number. It is written without fsync: after a power loss it may
 * be old, which does not matter, as the fsynced database then has its own number.
 */
export class Watermark {
  readonly #file: number;
  readonly #buffer = Buffer.alloc(WIDTH);

  constructor(path: string) {
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  /** Returns the id; 0 for a new file. */
  read(): number {
    if (fstatSync(this.#file).size < WIDTH) return 0;
    readSync(this.#file, this.#buffer, 0, WIDTH, 0);
    return Number(this.#buffer.readBigUInt64LE());
  }

  write(id: number): void {
    this.#buffer.writeBigUInt64LE(BigInt(id));
    writeSync(this.#file, this.#buffer, 0, WIDTH, 0);
  }

  close(): void {
    closeSync(this.#file);
  }
}
