import { sql } from 'kysely';
import type { Database, StoreTransaction } from './schema.ts';

const DELETED_EVENTS = 'events_deleted';

/** Counts events that are deleted in this transaction: what is gone must not look as if it had never come. */
export async function countDeleted(trx: StoreTransaction, events: number): Promise<void> {
  if (events === 0) return;
  await trx
    .insertInto('counter')
    .values({ name: DELETED_EVENTS, value: events })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((row) => ({ value: row('counter.value', '+', events) })),
    )
    .execute();
}

/** Events deleted so far, by age, for room, or because somebody asked for it. */
export async function deletedEvents(db: Database): Promise<number> {
  const row = await db
    .selectFrom('counter')
    .select('value')
    .where('name', '=', DELETED_EVENTS)
    .executeTakeFirst();
  return row?.value ?? 0;
}

/** Events taken so far, those that were deleted since included. */
export async function storedEvents(db: Database): Promise<number> {
  const { events } = await db
    .selectFrom('issue')
    .select((row) => row.fn.coalesce(row.fn.sum<number>('events'), sql<number>`0`).as('events'))
    .executeTakeFirstOrThrow();
  return events;
}
