import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** Marks rows with an event whose sender has a secret; see event/provenance.ts. No such sender is known for earlier rows. */
export async function confirmedIssues(db: Kysely<unknown>, { integer }: ColumnTypes): Promise<void> {
  for (const table of ['issue', 'release', 'webhook_delivery'])
    await db.schema
      .alterTable(table)
      .addColumn('is_confirmed', integer, (column) => column.notNull().defaultTo(0))
      .execute();
}
