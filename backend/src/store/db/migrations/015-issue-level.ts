import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** Adds the level of the newest event of an issue. An issue has none until its next event. */
export async function issueLevel(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable('issue').addColumn('level', text).execute();
}
