import { closeSync, existsSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { freeBytes } from '../../sqlite/disk-space.ts';
import { PAGE_BYTES } from './spool-schema.ts';

/**
 * More than it takes to deliver the way out of a full disk: the spool needs some 2 MiB to delete what was delivered, the
 * store on the same disk some 3 MiB to write what it is to keep, and to stop in time (store/db/sqlite/free-space.ts).
 */
const BALLAST_BYTES = 8 * 2 ** 20;
/** Room without which nothing is taken while the ballast is gone: what most commits write. */
const NEEDED_BYTES = 2 * 2 ** 20;
/** Free space at which the ballast is put back; more than itself, or the next commit would need it again. */
const PUT_BACK_BYTES = 2 * BALLAST_BYTES;

/**
 * A file that only takes room. On a full disk a WAL database is stuck: not even DELETE works, and what is never
 * deleted keeps the disk full. Letting go of the ballast gives it room to deliver its way out.
 *
 * States: standing -> released (the disk was full) -> standing, once there is room again.
 */
export class DiskReserve {
  readonly #path: string;
  readonly #freePages: StatementSync;
  #isStanding = false;

  /** Puts the ballast in place if the disk has room for it. */
  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#freePages = database.prepare('PRAGMA freelist_count');
    this.#restore();
  }

  /**
   * Whether there is room for new envelopes: on the disk beside what the ballast made free, or in the file itself, whose
   * pages are free once something was delivered. Without either the log could not be folded into the file, and that is
   * the end of deleting too.
   */
  hasRoom(): boolean {
    this.#restore();
    if (this.#isStanding) return true;
    const freePages = Number(this.#freePages.get()?.['freelist_count']);
    return this.#freeBytes() - BALLAST_BYTES + freePages * PAGE_BYTES >= NEEDED_BYTES;
  }

  release(): void {
    this.#isStanding = false;
    rmSync(this.#path, { force: true });
  }

  #restore(): void {
    if (this.#isStanding) return;
    if (existsSync(this.#path) && statSync(this.#path).size === BALLAST_BYTES) {
      this.#isStanding = true;
      return;
    }
    if (this.#freeBytes() < PUT_BACK_BYTES) return;
    try {
      const file = openSync(this.#path, 'w', 0o600);
      writeSync(file, Buffer.alloc(BALLAST_BYTES));
      closeSync(file);
      this.#isStanding = true;
    } catch {
      // The room was taken meanwhile: the next try finds out.
      this.release();
    }
  }

  #freeBytes(): number {
    return freeBytes(dirname(this.#path));
  }
}
