import { type RawBuilder, sql } from 'kysely';
import type { Flavor } from '../schema.ts';

/** What differs between the two databases when a table is made; the queries are the same. */
export interface ColumnTypes {
  readonly id: RawBuilder<unknown>;
  readonly integer: RawBuilder<unknown>;
  /** Compared byte by byte, so that a prefix is a range of the index whatever the database's locale. */
  readonly text: RawBuilder<unknown>;
  readonly bytes: RawBuilder<unknown>;
  /** Ends `create table`. STRICT: SQLite would else take a text where a number belongs. */
  readonly tableEnd: RawBuilder<unknown>;
  /** The same for a table that is little more than its key: SQLite would else hold the key twice. */
  readonly keyedTableEnd: RawBuilder<unknown>;
}

const SQLITE: ColumnTypes = {
  id: sql`integer primary key`,
  integer: sql`integer`,
  text: sql`text`,
  bytes: sql`blob`,
  tableEnd: sql`strict`,
  keyedTableEnd: sql`strict, without rowid`,
};

const POSTGRES: ColumnTypes = {
  id: sql`bigint generated always as identity primary key`,
  integer: sql`bigint`,
  text: sql`text collate "C"`,
  bytes: sql`bytea`,
  tableEnd: sql``,
  keyedTableEnd: sql``,
};

export function columnTypes(flavor: Flavor): ColumnTypes {
  return flavor === 'sqlite' ? SQLITE : POSTGRES;
}
