import { existsSync, renameSync } from 'node:fs';

/** SQLITE_CORRUPT and SQLITE_NOTADB: https://sqlite.org/rescode.html */
const DAMAGE = new Set([11, 26]);

/** Returns SQLite's primary result code of an error; undefined if the error is not from SQLite. */
export function sqliteCode(error: unknown): number | undefined {
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : undefined;
}

/** Returns whether an error means that the database file is damaged. */
export function isDamage(error: unknown): boolean {
  return DAMAGE.has(sqliteCode(error) ?? 0);
}

/**
 * Moves a database and its log to `<path>.unreadable-<time>`, for later examination.
 *
 * @returns the new path.
 */
export function moveAside(path: string): string {
  const aside = `${path}.unreadable-${Date.now()}`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  return aside;
}
