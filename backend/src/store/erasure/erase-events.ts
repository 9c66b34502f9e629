import { countDeleted } from '../db/counters.ts';
import { PATH_FACT, PERSON_FACT, personFact } from '../event/facts.ts';
import type { Database, StoreTransaction } from '../db/schema.ts';

/** What has to be known of an event to forget it. */
export interface DoomedEvent {
  readonly id: number;
  readonly event_id: string;
  readonly issue_id: number;
  readonly person: string | null;
  readonly path: string | null;
}

/** How many rows went. */
export interface ErasedRows {
  readonly events: number;
  readonly feedback: number;
}

/** Columns of a {@link DoomedEvent}. */
export const DOOMED = ['id', 'event_id', 'issue_id', 'person', 'path'] as const;

/**
 * Deletes events with what was written about them, and what only they have said of their issue. Counts stay. One
 * transaction: give it a hundred at a time, as look-ups wait behind it.
 */
export function eraseEvents(db: Database, events: readonly DoomedEvent[]): Promise<ErasedRows> {
  if (events.length === 0) return Promise.resolve({ events: 0, feedback: 0 });
  return db.transaction().execute(async (trx) => {
    const ids = events.map(({ id }) => id);
    // Events first: who adds a rule locks the tables in this order, and two orders can wait for each other.
    const deleted = await trx.deleteFrom('event').where('id', 'in', ids).executeTakeFirst();
    const eventIds = events.map((event) => event.event_id);
    const feedback = await trx.deleteFrom('feedback').where('event_id', 'in', eventIds).executeTakeFirst();
    await forgetFacts(trx, events);
    await countDeleted(trx, Number(deleted.numDeletedRows));
    return { events: Number(deleted.numDeletedRows), feedback: Number(feedback.numDeletedRows) };
  });
}

async function forgetFacts(trx: StoreTransaction, events: readonly DoomedEvent[]): Promise<void> {
  for (const column of ['person', 'path'] as const) {
    const facts = new Map(events.map((event) => [`${event.issue_id} ${event[column]}`, event]));
    for (const event of facts.values()) {
      const value = event[column];
      if (value !== null) await forgetFact(trx, event.issue_id, column, value);
    }
  }
}

/** Unless another event of the issue has it, too. */
async function forgetFact(
  trx: StoreTransaction,
  issueId: number,
  column: 'person' | 'path',
  value: string,
): Promise<void> {
  const other = await trx
    .selectFrom('event')
    .select('id')
    .where('issue_id', '=', issueId)
    .where(column, '=', value)
    .limit(1)
    .executeTakeFirst();
  if (other !== undefined) return;
  await trx
    .deleteFrom('issue_fact')
    .where('kind', '=', column === 'person' ? PERSON_FACT : PATH_FACT)
    .where('value', '=', column === 'person' ? personFact(value) : value)
    .where('issue_id', '=', issueId)
    .execute();
}
