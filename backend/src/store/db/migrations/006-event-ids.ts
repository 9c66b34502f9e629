import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/**
 * Adds the ids of events. They have no index: it would get an entry on a page of its own for each id of each event, about
 * ten, and most searches end among the newest events. Events of an earlier version have no row.
 */
export async function eventIds(
  db: Kysely<unknown>,
  { integer, bytes, tableEnd }: ColumnTypes,
): Promise<void> {
  await db.schema
    .createTable('event_ids')
    .addColumn('event', integer, (column) => column.primaryKey())
    .addColumn('hashes', bytes, (column) => column.notNull())
    .modifyEnd(tableEnd)
    .execute();
}
