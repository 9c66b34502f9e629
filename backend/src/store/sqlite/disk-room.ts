import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

/**
 * Free space below which nothing is stored, bytes: what a batch may write, and the 2 MiB that the spool needs on the same
 * disk to let go of what was delivered. Without them neither could ever go on.
 */
const NEEDED_BYTES = 3 * 2 ** 20;

/**
 * Makes sure that the disk has room for the next batch; the log gives back what it holds before it is short.
 *
 * @throws Error where there is none.
 */
export function needRoom(file: string, database: DatabaseSync): void {
  if (freeBytes(file) >= NEEDED_BYTES) return;
  database.exec('pragma wal_checkpoint(truncate)');
  if (freeBytes(file) < NEEDED_BYTES) {
    throw new Error(`the disk of ${dirname(file)} has less than ${NEEDED_BYTES / 2 ** 20} MiB left`);
  }
}

function freeBytes(file: string): number {
  const { bavail, bsize } = statfsSync(dirname(file));
  return bavail * bsize;
}
