import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** SQLITE_CORRUPT and SQLITE_NOTADB: https://sqlite.org/rescode.html */
const DAMAGE = new Set([11, 26]);
/** SQLITE_IOERR_SHORT_READ, the one I/O error of damage: the file ends before a page that it had. */
const SHORT_READ = 522;
/** SQLITE_IOERR and SQLITE_FULL. */
const NO_ROOM = new Set([10, 13]);

/** Returns SQLite's primary result code of an error; undefined if the error is not from SQLite. */
export function sqliteCode(error: unknown): number | undefined {
  const code = extendedCode(error);
  return code === undefined ? undefined : code & 0xff;
}

function extendedCode(error: unknown): number | undefined {
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown };
  return typeof errcode === 'number' ? errcode : undefined;
}

/** Returns whether an error means that the database file is damaged. */
export function isDamage(error: unknown): error is Error {
  return DAMAGE.has(sqliteCode(error) ?? 0) || extendedCode(error) === SHORT_READ;
}

/**
 * Returns whether an error means that there is no room: the file is at its cap, or the disk is full. SQLite also
 * reports a full disk as an I/O error if it fails to change the size of a file.
 */
export function isFull(error: unknown): boolean {
  return !isDamage(error) && NO_ROOM.has(sqliteCode(error) ?? 0);
}

/**
 * Moves a database and its log to `<path>.unreadable-<time>`, for later examination, and removes an earlier one.
 *
 * @returns the new path.
 */
export function moveAside(path: string): string {
  const aside = `${path}.unreadable-${Date.now()}`;
  const folder = dirname(path);
  const isEarlier = (name: string): boolean => name.startsWith(`${basename(path)}.unreadable-`);
  const earlier = existsSync(path) ? readdirSync(folder).filter(isEarlier) : [];
  for (const name of earlier) rmSync(join(folder, name));
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  return aside;
}
