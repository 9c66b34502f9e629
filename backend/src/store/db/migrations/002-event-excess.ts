import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** Marks the events that retention deletes first: those above the share of their sender network. */
export async function eventExcess(db: Kysely<unknown>, { integer }: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('event')
    .addColumn('is_excess', integer, (column) => column.notNull().defaultTo(0))
    .execute();
  // Retention walks it from the old end. It costs nothing while no network is above its share.
  await sql`create index event_excess on event (received_ms, id) where is_excess = 1`.execute(db);
}
