import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** Adds the tags of an event: lists and counts of them need not decode its body. */
export async function eventTags(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable('event').addColumn('tags', text).execute();
}
