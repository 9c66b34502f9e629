import { sql } from 'kysely';
import type { EventList } from '../../contract/event-api.ts';
import type { Database } from '../db/schema.ts';
import { decodeStoredEvent } from '../event/stored-event.ts';
import { pageOf, placeOf } from './cursor.ts';
import { eventDetailOf, eventSummaryOf, type StoredDetail } from './event-detail.ts';

const SUMMARY = [
  'event.id',
  'event.event_id',
  'event.occurred_ms',
  'event.release',
  'event.environment',
  'event.path',
  'event.browser',
  'event.person',
] as const;

function selectBodies(db: Database) {
  return db
    .selectFrom('event')
    .innerJoin('issue', 'issue.id', 'event.issue_id')
    .innerJoin('project', 'project.id', 'event.project_id')
    .select(SUMMARY)
    .select([
      'event.issue_id',
      'event.received_ms',
      'event.spool',
      'event.payload',
      'issue.digest',
      'issue.kind',
      'project.dsn',
    ]);
}

/** Newest first. */
export async function listEvents(
  db: Database,
  issueId: number,
  limit: number,
  cursor: string | null,
): Promise<EventList> {
  const place = placeOf(cursor);
  const rows = await db
    .selectFrom('event')
    .select(SUMMARY)
    .where('event.issue_id', '=', issueId)
    .$if(place !== null, (query) =>
      query.where(sql<boolean>`(event.occurred_ms, event.id) < (${place?.value}, ${place?.id})`),
    )
    .orderBy('event.occurred_ms', 'desc')
    .orderBy('event.id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = pageOf(rows, limit, (row) => ({ value: row.occurred_ms, id: row.id }));
  return { events: page.rows.map(eventSummaryOf), next: page.next };
}

/** @param eventId 32 hex digits. Should two projects have the same id, and none be named, the newer event. */
export async function eventById(
  db: Database,
  eventId: string,
  project: string | null,
): Promise<StoredDetail | undefined> {
  const row = await bodyById(db, eventId, project);
  return row === undefined ? undefined : eventDetailOf(db, row);
}

/** The same event as it is kept, scrubbed, as indented JSON. */
export async function rawEventById(
  db: Database,
  eventId: string,
  project: string | null,
): Promise<string | undefined> {
  const row = await bodyById(db, eventId, project);
  return row === undefined ? undefined : JSON.stringify(decodeStoredEvent(row.payload).event, null, 2);
}

function bodyById(db: Database, eventId: string, project: string | null) {
  return selectBodies(db)
    .where('event.event_id', '=', eventId)
    .$if(project !== null, (query) => query.where('project.dsn', '=', project))
    .orderBy('event.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The newest that is kept in full: its stack stands for those that are not. */
export async function newestEvent(db: Database, issueId: number): Promise<StoredDetail | undefined> {
  const row = await selectBodies(db)
    .where('event.issue_id', '=', issueId)
    .where('event.is_brief', '=', 0)
    .orderBy('event.occurred_ms', 'desc')
    .orderBy('event.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : eventDetailOf(db, row);
}
