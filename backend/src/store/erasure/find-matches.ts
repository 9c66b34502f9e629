import { sql } from 'kysely';
import type { Database } from '../db/schema.ts';
import { decodeStoredEvent } from '../event/stored-event.ts';
import { DOOMED, type DoomedEvent } from './erase-events.ts';
import { type ErasureRule, isErased } from '../erasure-rules/erasure-rule.ts';
import { namesIn } from '../event/names-in.ts';

/** Rows of one step: a look-up that comes meanwhile waits for it, some 5 ms. */
const STEP_ROWS = 100;

/** A step on the way through the table: what of it is to go, and where the next one begins; null after the last. */
export interface DoomedStep {
  readonly events: readonly DoomedEvent[];
  readonly next: number | null;
}

/** The next events a rule has forgotten. @param afterId 0 to begin with, then `next`. */
export function matchingEvents(db: Database, rule: ErasureRule, afterId: number): Promise<DoomedStep> {
  return rule.kind === 'user' ? ofPerson(db, rule, afterId) : byColumn(db, rule);
}

/** By its index; what was found is gone at the next step. */
async function byColumn(db: Database, { kind, value, atMs }: ErasureRule): Promise<DoomedStep> {
  const events = await db
    .selectFrom('event')
    .select(DOOMED)
    .where('received_ms', '<', kind === 'before' ? Number(value) : atMs)
    .$if(kind === 'event', (query) => query.where('event_id', '=', value))
    .limit(STEP_ROWS)
    .execute();
  return { events, next: events.length < STEP_ROWS ? null : 0 };
}

/**
 * A person may be meant by what is no column: the id of somebody whose email is known. So every event that names
 * anybody is read; what a column names is found without its body.
 */
async function ofPerson(db: Database, rule: ErasureRule, afterId: number): Promise<DoomedStep> {
  const rows = await db
    .selectFrom('event')
    .select([...DOOMED, 'received_ms', 'is_brief', 'payload'])
    .where('id', '>', afterId)
    .where('person', 'is not', null)
    .orderBy('id')
    .limit(STEP_ROWS)
    .execute();
  const events = rows.filter((row) =>
    isErased([rule], {
      receivedMs: row.received_ms,
      eventIds: [],
      names: () => [
        row.person ?? '',
        ...(row.is_brief === 1 ? [] : namesIn(decodeStoredEvent(row.payload).event)),
      ],
    }),
  );
  return { events, next: rows.length < STEP_ROWS ? null : (rows.at(-1)?.id ?? null) };
}

/** Brief repeats name one thing only: those of a person who is known by another name are found by that. */
export async function briefEventsOf(
  db: Database,
  person: string,
  beforeMs: number,
): Promise<readonly DoomedEvent[]> {
  // Written out: only then the databases know that the index of brief ones is enough.
  const isBrief = sql.lit(1);
  return db
    .selectFrom('event')
    .select(DOOMED)
    .where('person', '=', person)
    .where('is_brief', '=', isBrief)
    .where('received_ms', '<', beforeMs)
    .limit(STEP_ROWS)
    .execute();
}
