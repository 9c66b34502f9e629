import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';

/** A prepared statement that returns such rows; without a type, one that returns none. */
export interface Statement<Row = never> extends Pick<StatementSync, 'run'> {
  all(...values: readonly SQLInputValue[]): readonly Row[];
  get(...values: readonly SQLInputValue[]): Row | undefined;
  iterate(...values: readonly SQLInputValue[]): Iterable<Row>;
}

/** A database whose statements may name the type of the rows that their SQL selects; node:sqlite calls each a record. */
export interface TypedDatabase extends Pick<DatabaseSync, 'close' | 'exec' | 'isTransaction'> {
  prepare<Row = Readonly<Record<string, SQLOutputValue>>>(sql: string): Statement<Row>;
}
