import { sql } from 'kysely';
import type { QueryContext } from './query-context.ts';
import type { Database, StoreTransaction } from './schema.ts';

export const DELETED_EVENTS = 'events_deleted';
export const EVENTS_OF_DELETED_ISSUES = 'events_of_deleted_issues';

/** Counts events deleted in this transaction: a deleted event must not look like one that never arrived. */
export function countDeleted(trx: StoreTransaction, events: number): Promise<void> {
  return addToCounter(trx, DELETED_EVENTS, events);
}

/** Counts the events that were counted in issues deleted in this transaction. */
export function countOfDeletedIssues(trx: StoreTransaction, events: number): Promise<void> {
  return addToCounter(trx, EVENTS_OF_DELETED_ISSUES, events);
}

/** Adds to a counter, which begins at 0. */
async function addToCounter(trx: StoreTransaction, name: string, amount: number): Promise<void> {
  if (amount === 0) return;
  await trx
    .insertInto('counter')
    .values({ name, value: amount })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((row) => ({ value: row('counter.value', '+', amount) })),
    )
    .execute();
}

/** Returns the number of events deleted so far by age, by size or by an erasure. */
export function deletedEvents({ db }: QueryContext): Promise<number> {
  return valueOf(db, DELETED_EVENTS);
}

/** Returns the number of events stored so far, including those deleted since. */
export async function storedEvents({ db }: QueryContext): Promise<number> {
  const { events } = await db
    .selectFrom('issue')
    .select((row) => row.fn.coalesce(row.fn.sum<number>('events'), sql<number>`0`).as('events'))
    .executeTakeFirstOrThrow();
  return events + (await valueOf(db, EVENTS_OF_DELETED_ISSUES));
}

async function valueOf(db: Database, name: string): Promise<number> {
  const row = await db.selectFrom('counter').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value ?? 0;
}
