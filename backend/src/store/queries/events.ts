import { eventIdOf } from '../../envelope/event-id.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';
import { CONFIRMED_ORIGINS } from '../event/provenance.ts';
import { decodeStoredEvent } from '../event/stored-event.ts';
import { nameColumns } from '../issues/read-issues.ts';
import { EVENT_COLUMNS, eventDetailOf, type StoredDetail } from './event-detail.ts';

function selectBodies(db: Database) {
  return db
    .selectFrom('event')
    .innerJoin('issue', 'issue.id', 'event.issue_id')
    .innerJoin('project', 'project.id', 'event.project_id')
    .select(EVENT_COLUMNS)
    .select([
      'event.issue_id',
      'event.received_ms',
      'event.spool',
      'event.payload',
      'event.origin',
      'issue.kind',
      'project.dsn',
    ])
    .select(nameColumns());
}

/**
 * Returns an event by its id. Where two projects have the same id and no project is named, it is the confirmed event, then the
 * one that arrived first: a stranger can send another with its id.
 */
export async function eventById(
  context: QueryContext,
  eventId: string,
  project: string | null = null,
): Promise<StoredDetail | undefined> {
  const row = await bodyById(context.db, eventId, project);
  return row === undefined ? undefined : eventDetailOf(context, row);
}

/** Returns an event as it is stored, scrubbed, as indented JSON. */
export async function rawEventById(
  { db }: QueryContext,
  eventId: string,
  project: string | null = null,
): Promise<string | undefined> {
  const row = await bodyById(db, eventId, project);
  return row === undefined ? undefined : JSON.stringify(decodeStoredEvent(row.payload).event, null, 2);
}

async function bodyById(db: Database, text: string, project: string | null) {
  const eventId = eventIdOf(text);
  if (eventId === null) return undefined;
  return selectBodies(db)
    .where('event.event_id', '=', eventId)
    .$if(project !== null, (query) => query.where('project.dsn', '=', project))
    .orderBy((row) => row('event.origin', 'in', CONFIRMED_ORIGINS), 'desc')
    .orderBy('event.received_ms')
    .orderBy('event.id')
    .limit(1)
    .executeTakeFirst();
}

/** Returns the newest event that is stored in full: brief events have no stack. */
export async function newestEvent(context: QueryContext, issueId: number): Promise<StoredDetail | undefined> {
  const row = await selectBodies(context.db)
    .where('event.issue_id', '=', issueId)
    .where('event.is_brief', '=', 0)
    .orderBy('event.occurred_ms', 'desc')
    .orderBy('event.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : eventDetailOf(context, row);
}
