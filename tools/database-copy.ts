import { closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { freeBytes } from '../backend/src/sqlite/disk-space.ts';

/** All pages in one step: SQLite starts a copy again when another process writes between two steps. */
const ALL_PAGES = 2 ** 31 - 1;
/** Space that a copy leaves on the disk, where a running Errata may write: below it the store slows down. */
const LEFT_BYTES = 64 * 2 ** 20;

/** Copies a database, fsyncs the copy and returns its pages. Other processes go on writing to the database. */
export async function copyDatabase(from: string, to: string): Promise<number> {
  const database = new DatabaseSync(from, { readOnly: true });
  try {
    // `backup` says only `not an error` of a database that cannot be read.
    database.exec('SELECT count(*) FROM sqlite_schema');
    const pages = await backup(database, to, { rate: ALL_PAGES });
    sync(to);
    return pages;
  } finally {
    database.close();
  }
}

/** Fsyncs a file, or the names in a directory. */
export function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** @throws Error when the disk of `directory` has no room for the copies. */
export function checkSpace(databases: readonly string[], directory: string): void {
  const bytes = databases
    .flatMap((path) => [path, `${path}-wal`])
    .reduce((sum, path) => sum + sizeOf(path), 0);
  const missing = bytes + LEFT_BYTES - freeBytes(directory);
  if (missing <= 0) return;
  const mib = (size: number): number => Math.ceil(size / 2 ** 20);
  throw new Error(
    `The disk of ${directory} has ${mib(missing)} MiB too little: the copy needs ${mib(bytes)} MiB and leaves ${mib(LEFT_BYTES)} MiB free.`,
  );
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
