import { isDamage, sqliteCode } from '../../sqlite/database-file.ts';

/** SQLite's primary result codes for errors of a statement or of its data (https://sqlite.org/rescode.html). */
const SQLITE_DATA_FAULTS = new Set([1, 18, 19, 20, 25]);
/** SQLITE_FULL: the file is at its cap, or the disk is full. */
const SQLITE_FULL = 13;
/** SQLSTATE classes for the same (https://www.postgresql.org/docs/18/errcodes-appendix.html), without {@link NO_RIGHT}. */
const POSTGRES_DATA_FAULT = /^(?:0A|21|22|23|42(?!501)|54)/;
/** SQLSTATE for a statement that the role may not send, whatever its data. */
const NO_RIGHT = /^42501$/;

/**
 * SQLSTATE classes with which a server refuses a connection until its URL, role, database or pg_hba.conf is another. Others
 * end by themselves: a server that starts or stops (57P), or has no connection left (53).
 */
const REFUSED_CONNECTION = /^(?:0A|22|28|3D|3F|42|55)...$/;
/** Node's codes for certificates, such as UNABLE_TO_VERIFY_LEAF_SIGNATURE. */
const REFUSED_CERTIFICATE = /CERT|SIGNATURE/;
/** Words of the driver, which has no codes: a password that is missing, a server without TLS. */
const REFUSED_BY_DRIVER = /^SASL: |not support SSL/;

/** SQLSTATE classes for a missing right, table or schema. */
const POSTGRES_REFUSAL = /^(?:3F|42)...$/;

/** Only an operator can make the database usable: its schema, its encoding or the rights of its role are others. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase';
}

/** The server, or its certificate, refuses each connection until an operator changes something. The message has its words. */
class RefusedConnection extends Error {
  override readonly name = 'RefusedConnection';
}

/** Returns a {@link RefusedConnection} for an error of connecting that does not end by itself, or that error. */
export function connectionError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isByServer = hasState(error, REFUSED_CONNECTION) || hasState(error, REFUSED_CERTIFICATE);
  if (!isByServer && !REFUSED_BY_DRIVER.test(error.message)) return error;
  return new RefusedConnection(error.message, { cause: error });
}

/** Returns whether the database refuses the store, or this statement of its role, and will until an operator changes something. */
export function isRefusal(error: unknown): error is Error {
  if (error instanceof RefusedConnection || error instanceof UnusableDatabase) return true;
  return error instanceof Error && hasState(error, NO_RIGHT);
}

/** Classes that JavaScript throws for a bug. Plain errors, and errors with a code, come from the database or the system. */
const MISTAKES = [TypeError, RangeError, ReferenceError, SyntaxError];

/** Returns whether a retry would fail again: the cause is a bug or the data, and not an unreachable database. */
export function isLastingFault(error: unknown): boolean {
  return isDataFault(error) || MISTAKES.some((mistake) => error instanceof mistake);
}

/**
 * Returns whether the database rejected the data. One bad row then fails its whole batch, and a retry is useless. Any other
 * error (connection lost, disk full, locked, shutting down) affects every statement and ends by itself.
 */
export function isDataFault(error: unknown): boolean {
  const sqlite = sqliteCode(error);
  if (sqlite !== undefined) return SQLITE_DATA_FAULTS.has(sqlite);
  return hasState(error, POSTGRES_DATA_FAULT);
}

/** Returns whether PostgreSQL refused a statement to this role, or in this schema. */
export function isRefusedRole(error: unknown): error is Error {
  return error instanceof Error && hasState(error, POSTGRES_REFUSAL);
}

function hasState(error: unknown, states: RegExp): boolean {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && states.test(code);
}

/** @throws an error of a damaged file: it ends the thread, and the next one replaces the file. */
export function throwDamage(error: unknown): void {
  if (isDamage(error)) throw error;
}

/** Returns whether the embedded database has no room: the file is at its cap, or the disk is full. */
export function isFullFile(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_FULL;
}
