import { closeSync, fstatSync, openSync, readSync, writeSync, constants } from 'node:fs';

/** A 64-bit number. */
const WIDTH = 8;

/**
 * The last acknowledged id, beside the database.
 *
 * One flipped bit in a write-ahead log makes SQLite drop everything behind it, silently and with a clean
 * integrity check. This number is how the loss is seen, and reported, at the next start. It is written without
 * fsync: after a power loss it may be old, which hides nothing that the fsynced database itself still has.
 */
export class Watermark {
  readonly #file: number;
  readonly #buffer = Buffer.alloc(WIDTH);

  constructor(path: string) {
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  /** 0 in a new file. */
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
