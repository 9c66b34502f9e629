import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { freeBytes } from '../../../sqlite/disk-space.ts';

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
  const directory = dirname(file);
  if (freeBytes(directory) >= NEEDED_BYTES) return;
  database.exec('pragma wal_checkpoint(truncate)');
  if (freeBytes(directory) < NEEDED_BYTES) {
    throw new Error(`the disk of ${directory} has less than ${NEEDED_BYTES / 2 ** 20} MiB left`);
  }
}
