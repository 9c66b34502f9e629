import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** Marks the feedback that retention deletes first: that above the share of its sender network. */
export async function feedbackExcess(db: Kysely<unknown>, { integer }: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('feedback')
    .addColumn('is_excess', integer, (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`create index feedback_excess on feedback (received_ms, id) where is_excess = 1`.execute(db);
}
