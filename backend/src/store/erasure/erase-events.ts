import { countDeleted } from '../db/counters.ts';
import { PATH_FACT, PERSON_FACT, personFact } from '../event/event-facts.ts';
import type { Database, StoreTransaction } from '../db/schema.ts';

/** The columns of an event that its erasure needs. */
export interface MatchingEvent {
  readonly id: number;
  readonly event_id: string;
  readonly issue_id: number;
  readonly person: string | null;
  readonly path: string | null;
}

/** Number of deleted rows. */
export interface ErasedRows {
  readonly events: number;
  readonly feedback: number;
}

/** Columns of a {@link MatchingEvent}. */
export const MATCH_COLUMNS = ['id', 'event_id', 'issue_id', 'person', 'path'] as const;

/**
 * Deletes events, their feedback, and the facts that no other event of the issue has. Counts stay. Uses one transaction:
 * callers pass a hundred events at a time, because reads wait for it.
 */
export function eraseEvents(db: Database, events: readonly MatchingEvent[]): Promise<ErasedRows> {
  if (events.length === 0) return Promise.resolve({ events: 0, feedback: 0 });
  return db.transaction().execute(async (trx) => {
    const ids = events.map(({ id }) => id);
    // Events first: addRule locks the tables in this order, and another order could deadlock.
    const deleted = await trx.deleteFrom('event').where('id', 'in', ids).executeTakeFirst();
    const eventIds = events.map((event) => event.event_id);
    const feedback = await trx.deleteFrom('feedback').where('event_id', 'in', eventIds).executeTakeFirst();
    await deleteFacts(trx, events);
    await countDeleted(trx, Number(deleted.numDeletedRows));
    return { events: Number(deleted.numDeletedRows), feedback: Number(feedback.numDeletedRows) };
  });
}

async function deleteFacts(trx: StoreTransaction, events: readonly MatchingEvent[]): Promise<void> {
  for (const column of ['person', 'path'] as const) {
    const facts = new Map(events.map((event) => [`${event.issue_id} ${event[column]}`, event]));
    for (const event of facts.values()) {
      const value = event[column];
      if (value !== null) await deleteUnsharedFact(trx, event.issue_id, column, value);
    }
  }
}

/** Deletes a fact unless another event of the issue has it, too. */
async function deleteUnsharedFact(
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
