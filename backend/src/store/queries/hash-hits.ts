import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Flavor } from '../db/schema.ts';
import { ID_BYTES } from '../event/event-ids.ts';

/** A condition for a row of event_ids. */
export type Needle = RawBuilder<SqlBool>;

/** Returns a column for each needle: the rows of event_ids that it matches. {@link hitsOf} reads it. */
export function hitColumns(flavor: Flavor, needles: readonly Needle[]) {
  return needles.map((needle, at) =>
    sql`${idList(flavor, sql`event`)} filter (where ${needle})`.as<`hits${number}`>(`hits${at}`),
  );
}

/** Returns for each needle the rows that it matches, the newest first. */
export function hitsOf(
  row: Readonly<Record<string, unknown>>,
  needles: readonly Needle[],
): readonly (readonly number[])[] {
  return needles.map((_, at) => idsIn(row[`hits${at}`]).toSorted((one, other) => other - one));
}

/** Makes an aggregate of the ids of rows, which {@link idsIn} reads. */
export function idList(flavor: Flavor, column: RawBuilder<unknown>): RawBuilder<string | null> {
  return flavor === 'sqlite' ? sql`group_concat(${column})` : sql`string_agg(${column}::text, ',')`;
}

/** Returns the ids of an aggregate, in any order; none for that of no row. */
export function idsIn(list: unknown): readonly number[] {
  return typeof list === 'string' ? list.split(',').map(Number) : [];
}

/** Matches events by the ids of their rows, of any number: a list of parameters would end at some ten thousand. */
export function isAmong(flavor: Flavor, rows: readonly number[]): RawBuilder<SqlBool> {
  return flavor === 'sqlite'
    ? sql`event.id in (select value from json_each(${JSON.stringify(rows)}))`
    : sql`event.id = any(${rows}::bigint[])`;
}

/** Matches rows whose first id is this one: that takes a third of the time of a search through all ids of a row. */
export function beginsWith(hash: string): Needle {
  return sql`substr(hashes, 1, ${sql.lit(ID_BYTES)}) = ${Buffer.from(hash, 'hex')}`;
}

/** Matches rows that have one of the hashes; of none, no row. */
export function hasOneOf(flavor: Flavor, hashes: readonly string[]): Needle {
  const found = hashes.map((hash) => contains(flavor, hash));
  return found.length === 0 ? sql`false` : sql.join(found, sql` or `);
}

/** Matches hashes that contain one. It may match across two hashes, which 48 bits make as unlikely as any other error. */
function contains(flavor: Flavor, hash: string): Needle {
  const bytes = Buffer.from(hash, 'hex');
  return flavor === 'sqlite'
    ? sql`instr(hashes, ${bytes}) > 0`
    : sql`position(${bytes}::bytea in hashes) > 0`;
}
