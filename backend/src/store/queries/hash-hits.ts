import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Flavor } from '../db/schema.ts';

/** Returns a column of event_ids for each list of hashes: the rows that have one of them. {@link hitsOf} reads it. */
export function hitColumns(flavor: Flavor, needles: readonly (readonly string[])[]) {
  const rows = flavor === 'sqlite' ? sql`group_concat(event)` : sql`string_agg(event::text, ',')`;
  return needles.map((hashes, at) =>
    sql`${rows} filter (where ${hasOneOf(flavor, hashes)})`.as<`hits${number}`>(`hits${at}`),
  );
}

/** Returns for each list of hashes the rows that have one of them, the newest first. */
export function hitsOf(
  row: Readonly<Record<string, unknown>>,
  needles: readonly unknown[],
): readonly (readonly number[])[] {
  return needles.map((_, at) => {
    const list = row[`hits${at}`];
    if (typeof list !== 'string') return [];
    const ids = list.split(',').map(Number);
    return ids.toSorted((one, other) => other - one);
  });
}

/** Matches hashes of event_ids that contain one of a list. */
export function hasOneOf(flavor: Flavor, hashes: readonly string[]): RawBuilder<SqlBool> {
  const found = hashes.map((hash) => contains(flavor, hash));
  return found.length === 0 ? sql`false` : sql.join(found, sql` or `);
}

/** Matches hashes that contain one. It may match across two hashes, which 48 bits make as unlikely as any other error. */
function contains(flavor: Flavor, hash: string): RawBuilder<SqlBool> {
  const bytes = Buffer.from(hash, 'hex');
  return flavor === 'sqlite'
    ? sql`instr(hashes, ${bytes}) > 0`
    : sql`position(${bytes}::bytea in hashes) > 0`;
}
