import { sql } from 'kysely';
import type { Database } from '../db/schema.ts';
import { decodeStoredEvent } from '../event/stored-event.ts';
import { MATCH_COLUMNS, type MatchingEvent } from './erase-events.ts';
import { type ErasureRule, isErased } from '../erasure-rules/erasure-rule.ts';
import { namesIn } from '../event/names-in.ts';

/** Rows of one step: a concurrent read waits for it, about 5 ms. */
const STEP_ROWS = 100;

/** The matches of a step through the table, and the start of the next step; null after the last. */
export interface MatchStep {
  readonly events: readonly MatchingEvent[];
  readonly next: number | null;
}

/** Returns the next events that a rule matches. @param afterId 0 for the first step, then `next`. */
export function matchingEvents(db: Database, rule: ErasureRule, afterId: number): Promise<MatchStep> {
  return rule.kind === 'user' ? matchesOfUser(db, rule, afterId) : matchesByColumn(db, rule);
}

/** Finds events by an index; the next step no longer finds the deleted ones. */
async function matchesByColumn(db: Database, { kind, value, atMs }: ErasureRule): Promise<MatchStep> {
  const events = await db
    .selectFrom('event')
    .select(MATCH_COLUMNS)
    .where('received_ms', '<', kind === 'before' ? Number(value) : atMs)
    .$if(kind === 'event', (query) => query.where('event_id', '=', value))
    .limit(STEP_ROWS)
    .execute();
  return { events, next: events.length < STEP_ROWS ? null : 0 };
}

/**
 * Finds events of a user. The rule may contain a name that is not in the column, such as the id of a user with an email.
 * So the body of every full event with a user is read.
 */
async function matchesOfUser(db: Database, rule: ErasureRule, afterId: number): Promise<MatchStep> {
  const rows = await db
    .selectFrom('event')
    .select([...MATCH_COLUMNS, 'received_ms', 'is_brief', 'payload'])
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

/** Returns brief events of a person. They contain one name only, which the person's full events contain, too. */
export async function briefEventsOf(
  db: Database,
  person: string,
  beforeMs: number,
): Promise<readonly MatchingEvent[]> {
  // A literal: only then the planners use the partial index of brief events.
  const isBrief = sql.lit(1);
  return db
    .selectFrom('event')
    .select(MATCH_COLUMNS)
    .where('person', '=', person)
    .where('is_brief', '=', isBrief)
    .where('received_ms', '<', beforeMs)
    .limit(STEP_ROWS)
    .execute();
}
