import { existsSync, renameSync } from 'node:fs';

/** Damaged, and no database at all: https://sqlite.org/rescode.html */
const DAMAGE = new Set([11, 26]);

/** SQLite's primary result code of what was thrown; undefined: it came from elsewhere. */
export function sqliteCode(error: unknown): number | undefined {
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : undefined;
}

/** Whether the file itself is at fault. */
export function isDamage(error: unknown): boolean {
  return DAMAGE.has(sqliteCode(error) ?? 0);
}

/**
 * Moves a database and its log to `<path>.unreadable-<time>`: what it held can be examined later.
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
