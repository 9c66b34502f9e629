import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** Adds the line of an operator that the error pages of an issue show. */
export async function pageLine(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable('issue').addColumn('page_line', text).execute();
}
