import { sqliteCode } from '../../sqlite/database-file.ts';

/** SQLite's primary result codes for what a statement or its data did wrong (https://sqlite.org/rescode.html). */
const SQLITE_DATA_FAULTS = new Set([1, 18, 19, 20, 25]);
/** SQLSTATE classes for the same (https://www.postgresql.org/docs/18/errcodes-appendix.html). */
const POSTGRES_DATA_FAULT = /^(?:0A|21|22|23|42|54)...$/;

/** What JavaScript throws at a mistake in code; what is plain or has a code of its own came from outside. */
const MISTAKES = [TypeError, RangeError, ReferenceError, SyntaxError];

/** Whether asking again is of no use, as our own code or what it was given is at fault and not a database that is away. */
export function isLastingFault(error: unknown): boolean {
  return isDataFault(error) || MISTAKES.some((mistake) => error instanceof mistake);
}

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
