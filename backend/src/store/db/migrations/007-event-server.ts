import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** Adds the name of the server that an event comes from: the list of events shows it, also of brief events. */
export async function eventServer(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable('event').addColumn('server', text).execute();
}
