import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** Adds the sender of feedback, as migration 005 does for events: 0 is unknown. */
export async function feedbackOrigin(db: Kysely<unknown>, { integer }: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('feedback')
    .addColumn('origin', integer, (column) => column.notNull().defaultTo(0))
    .execute();
}
