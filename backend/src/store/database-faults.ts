import { sqliteCode } from '../disk/sqlite-file.ts';

/** SQLite's primary result codes for what a statement or its data did wrong (https://sqlite.org/rescode.html). */
const SQLITE_DATA_FAULTS = new Set([1, 18, 19, 20, 25]);
/** SQLSTATE classes for the same (https://www.postgresql.org/docs/18/errcodes-appendix.html). */
const POSTGRES_DATA_FAULT = /^(?:0A|21|22|23|42|54)...$/;

/**
 * Whether a database refused what it was given, as opposed to not being able to take anything now (gone, full,
 * locked, shutting down): the first one row does to a whole batch, the second passes.
 */
export function isDataFault(error: unknown): boolean {
  const sqlite = sqliteCode(error);
  if (sqlite !== undefined) return SQLITE_DATA_FAULTS.has(sqlite);
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && POSTGRES_DATA_FAULT.test(code);
}
