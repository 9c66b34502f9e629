import { sql } from 'kysely';
import type { EventList } from '../../contract/event-api.ts';
import { eventIdOf } from '../../envelope/event-id.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';
import { decodeStoredEvent } from '../event/stored-event.ts';
import { pageOf, pageSize, positionOf } from './cursor.ts';
import { nameColumns } from '../issues/read-issues.ts';
import { oneIssue } from './find-by-name.ts';
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
      'event.origin',
      'issue.kind',
      'project.dsn',
    ])
    .select(nameColumns());
}

/** Lists the events of the issue that a text names, newest first; undefined where it names no single issue. */
export async function listEvents(
  { db }: QueryContext,
  digest: string,
  wanted: number,
  cursor: string | null,
  project: string | null = null,
): Promise<EventList | undefined> {
  const issue = await oneIssue(db, digest, project);
  if (issue === undefined) return undefined;
  const position = positionOf(cursor);
  const limit = pageSize(wanted);
  const rows = await db
    .selectFrom('event')
    .select(SUMMARY)
    .where('event.issue_id', '=', issue.id)
    .$if(position !== null, (query) =>
      query.where(sql<boolean>`(event.occurred_ms, event.id) < (${position?.value}, ${position?.id})`),
    )
    .orderBy('event.occurred_ms', 'desc')
    .orderBy('event.id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = pageOf(rows, limit, (row) => ({ value: row.occurred_ms, id: row.id }));
  return { events: page.rows.map(eventSummaryOf), next: page.next };
}

/** Returns an event by its id; where two projects have the same id and no project is named, the newer event. */
export async function eventById(
  { db }: QueryContext,
  eventId: string,
  project: string | null = null,
): Promise<StoredDetail | undefined> {
  const row = await bodyById(db, eventId, project);
  return row === undefined ? undefined : eventDetailOf(db, row);
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
    .orderBy('event.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Returns the newest event that is stored in full: brief events have no stack. */
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
