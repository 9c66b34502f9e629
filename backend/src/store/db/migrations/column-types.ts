import { type RawBuilder, sql } from 'kysely';
import type { Flavor } from '../schema.ts';

/** The parts of `create table` that differ between the two databases. The queries are the same. */
export interface ColumnTypes {
  readonly id: RawBuilder<unknown>;
  /** Never used again, as the live view's cursor needs: with the id of an erased event a new one would be taken for seen. */
  readonly uniqueId: RawBuilder<unknown>;
  readonly integer: RawBuilder<unknown>;
  /** Compared byte by byte, so that a prefix is a range of the index in every locale of the database. */
  readonly text: RawBuilder<unknown>;
  readonly bytes: RawBuilder<unknown>;
  /** Ends `create table`. Without STRICT, SQLite accepts a text in a column of numbers. */
  readonly tableEnd: RawBuilder<unknown>;
  /** Ends `create table` for a table that is little more than its key: SQLite stores the key once instead of twice. */
  readonly keyedTableEnd: RawBuilder<unknown>;
}

const SQLITE: ColumnTypes = {
  id: sql`integer primary key`,
  uniqueId: sql`integer primary key autoincrement`,
  integer: sql`integer`,
  text: sql`text`,
  bytes: sql`blob`,
  tableEnd: sql`strict`,
  keyedTableEnd: sql`strict, without rowid`,
};

const POSTGRES_ID = sql`bigint generated always as identity primary key`;

const POSTGRES: ColumnTypes = {
  id: POSTGRES_ID,
  uniqueId: POSTGRES_ID,
  integer: sql`bigint`,
  text: sql`text collate "C"`,
  bytes: sql`bytea`,
  tableEnd: sql``,
  keyedTableEnd: sql``,
};

export function columnTypes(flavor: Flavor): ColumnTypes {
  return flavor === 'sqlite' ? SQLITE : POSTGRES;
}
