import { sql } from 'kysely';
import type { Database, StoreTransaction } from './schema.ts';

const DELETED_EVENTS = 'events_deleted';
const FORGOTTEN_EVENTS = 'events_of_deleted_issues';

/** Counts events that are deleted in this transaction: what is gone must not look as if it had never come. */
export function countDeleted(trx: StoreTransaction, events: number): Promise<void> {
  return add(trx, DELETED_EVENTS, events);
}

/** Counts what was counted in issues that are deleted in this transaction. */
export function countForgotten(trx: StoreTransaction, events: number): Promise<void> {
  return add(trx, FORGOTTEN_EVENTS, events);
}

async function add(trx: StoreTransaction, name: string, events: number): Promise<void> {
  if (events === 0) return;
  await trx
    .insertInto('counter')
    .values({ name, value: events })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((row) => ({ value: row('counter.value', '+', events) })),
    )
    .execute();
}

/** Events deleted so far, by age, for room, or because somebody asked for it. */
export function deletedEvents(db: Database): Promise<number> {
  return valueOf(db, DELETED_EVENTS);
}

/** Events taken so far, those that were deleted since included. */
export async function storedEvents(db: Database): Promise<number> {
  const { events } = await db
    .selectFrom('issue')
    .select((row) => row.fn.coalesce(row.fn.sum<number>('events'), sql<number>`0`).as('events'))
    .executeTakeFirstOrThrow();
  return events + (await valueOf(db, FORGOTTEN_EVENTS));
}

async function valueOf(db: Database, name: string): Promise<number> {
  const row = await db.selectFrom('counter').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? 0;
}
