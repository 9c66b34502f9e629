import { sql } from 'kysely';
import type { Database } from '../db/schema.ts';
import { decodeStoredEvent } from '../event/stored-event.ts';
import { MATCH_COLUMNS, type MatchingEvent } from './erase-events.ts';
import { type ErasureRule, isErased } from '../erasure-rules/erasure-rule.ts';
import { projectOf } from '../erasure-rules/erasure-rules.ts';
import { namesIn } from '../event/names-in.ts';

/** Rows of one step: a concurrent read waits for it, about 5 ms. */
const STEP_ROWS = 100;
/** Feedback of one step. */
const FEEDBACK_ROWS = 200;

/** A match with the DSN of its project. */
interface FoundMatch extends MatchingEvent {
  readonly dsn: string;
}

/** The matches of a step through the table, and the start of the next step; null after the last. */
interface MatchStep {
  readonly events: readonly FoundMatch[];
  readonly next: number | null;
}

/** Feedback of a step that a rule matches, beside that of matching events. */
interface FeedbackStep {
  readonly feedback: readonly { readonly id: number; readonly dsn: string }[];
  readonly next: number | null;
}

/**
 * Returns the next events that a rule matches. For a user it reads the body of every full event that names one: the rule may
 * contain a name that is not in the column, such as the id of a user with an email.
 *
 * @param afterId 0 for the first step, then `next`.
 */
export async function matchingEvents(db: Database, rule: ErasureRule, afterId: number): Promise<MatchStep> {
  const rows = await db
    .selectFrom('event')
    .select([...MATCH_COLUMNS, 'received_ms', dsnOf('event')])
    .$if(rule.kind === 'user', (query) =>
      query.select(['is_brief', 'payload']).where('person', 'is not', null),
    )
    .$if(rule.kind === 'event', (query) => query.where('event_id', '=', rule.value))
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(STEP_ROWS)
    .execute();
  const events = rows.filter((row) =>
    isErased([rule], {
      receivedMs: row.received_ms,
      project: row.dsn,
      eventIds: [row.event_id],
      names: () => [
        row.person ?? '',
        ...(row.payload === undefined || row.is_brief === 1
          ? []
          : namesIn(decodeStoredEvent(row.payload).event)),
      ],
    }),
  );
  return { events, next: rows.length < STEP_ROWS ? null : (rows.at(-1)?.id ?? null) };
}

/** Returns brief events of a person. They contain one name only, which the person's full events contain, too. */
export async function briefEventsOf(
  db: Database,
  person: string,
  rule: Pick<ErasureRule, 'atMs' | 'project'>,
  afterId = 0,
): Promise<MatchStep> {
  // A literal: only then the planners use the partial index of brief events.
  const isBrief = sql.lit(1);
  const events = await db
    .selectFrom('event')
    .select([...MATCH_COLUMNS, dsnOf('event')])
    .where('person', '=', person)
    .where('is_brief', '=', isBrief)
    .where('received_ms', '<', rule.atMs)
    .where('id', '>', afterId)
    .$if(rule.project !== null, (query) => query.where('project_id', '=', projectOf(db, rule.project)))
    .orderBy('id')
    .limit(STEP_ROWS)
    .execute();
  return { events, next: events.length < STEP_ROWS ? null : (events.at(-1)?.id ?? null) };
}

/** Returns the next feedback that a rule matches; that of an erased event is deleted with it. */
export async function matchingFeedback(
  db: Database,
  rule: ErasureRule,
  afterId: number,
): Promise<FeedbackStep> {
  const rows = await db
    .selectFrom('feedback')
    .select(['id', 'received_ms', 'feedback_id', 'event_id', 'name', 'contact', dsnOf('feedback')])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(FEEDBACK_ROWS)
    .execute();
  const feedback = rows.filter((row) =>
    isErased([rule], {
      receivedMs: row.received_ms,
      project: row.dsn,
      eventIds: [row.feedback_id, row.event_id ?? ''],
      names: () => [row.name ?? '', row.contact ?? ''],
    }),
  );
  return { feedback, next: rows.length < FEEDBACK_ROWS ? null : (rows.at(-1)?.id ?? null) };
}

/** Selects the DSN of a row's project. No join: see selectIssues. */
function dsnOf(table: 'event' | 'feedback') {
  return sql<string>`(select dsn from project where project.id = ${sql.ref(`${table}.project_id`)})`.as(
    'dsn',
  );
}
