import { sql } from 'kysely';
import type { EventFilters, EventList } from '../../contract/event-api.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';
import { type PagePosition, pageOf, pageSize, positionOf } from './cursor.ts';
import { EVENT_COLUMNS, eventSummaryOf } from './event-detail.ts';
import { eventTermsOf, scanEvents, searchedBy } from './event-scan.ts';
import { oneIssue } from './find-by-name.ts';

/** Lists the events of the issue that a text names, newest first; undefined where it names no single issue. */
export async function listEvents(
  context: QueryContext,
  digest: string,
  wanted: number,
  cursor: string | null,
  { project = null, q = null }: EventFilters = {},
): Promise<Omit<EventList, 'unknownWords'> | undefined> {
  const { db } = context;
  const issue = await oneIssue(db, digest, project);
  if (issue === undefined) return undefined;
  const position = positionOf(cursor);
  const limit = pageSize(wanted);
  const terms = await eventTermsOf(context, issue.id, q);
  if (terms !== null) {
    const scanned = await scanEvents(context, { issueId: issue.id, terms, position, wanted: limit + 1 });
    const shown = scanned.found.slice(0, limit);
    const last = scanned.found.length > limit ? shown.at(-1) : undefined;
    return { events: shown.map(eventSummaryOf), ...searchedBy(scanned, last) };
  }
  const rows = await selectBefore(db, issue.id, position)
    .select(EVENT_COLUMNS)
    .limit(limit + 1)
    .execute();
  const page = pageOf(rows, limit, ({ occurred_ms: value, id }) => ({ value, id }));
  return { events: page.rows.map(eventSummaryOf), next: page.next };
}

function selectBefore(db: Database, issueId: number, position: PagePosition | null) {
  return db
    .selectFrom('event')
    .where('event.issue_id', '=', issueId)
    .$if(position !== null, (query) =>
      query.where(sql<boolean>`(event.occurred_ms, event.id) < (${position?.value}, ${position?.id})`),
    )
    .orderBy('event.occurred_ms', 'desc')
    .orderBy('event.id', 'desc');
}
