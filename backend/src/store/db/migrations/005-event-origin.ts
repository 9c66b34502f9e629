import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** Adds the sender of an event. That of earlier events is unknown; see event/provenance.ts. */
export async function eventOrigin(db: Kysely<unknown>, { integer }: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('event')
    .addColumn('origin', integer, (column) => column.notNull().defaultTo(0))
    .execute();
}
