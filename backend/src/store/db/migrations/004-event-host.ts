import type { Kysely } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** Adds the host of an event: an erasure deletes the fact of a host that no other event of the issue has. */
export async function eventHost(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema.alterTable('event').addColumn('host', text).execute();
}
