import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { EventFilters, EventList } from '../../contract/event-api.ts';
import { isoTime } from '../../time/iso.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';
import { matchesOf, personFact } from '../event/fact-forms.ts';
import { cursorAt, type PagePosition, pageOf, pageSize, positionOf } from './cursor.ts';
import { EVENT_COLUMNS, eventSummaryOf } from './event-detail.ts';
import { oneIssue } from './find-by-name.ts';
import { isFact } from './find-conditions.ts';

/** Events read for one page of a user: a user waits 0.3 s for them, and the next page reads on. */
export const MAX_EVENTS_READ = 50_000;
/** Events of one step, which takes SQLite 10 ms: a concurrent read waits for it. */
const STEP_ROWS = 2_000;
/** Names of an issue that one form of a name may belong to: more users with the same one are no single user. */
const MAX_NAMES = 1_000;

/** Some events of an issue, newest first. */
interface EventsRead {
  readonly rows: readonly PagePosition[];
  /** The event at which the read ended; null at the end of the issue, and where it found enough. */
  readonly endedAt: PagePosition | null;
}

/** Lists the events of the issue that a text names, newest first; undefined where it names no single issue. */
export async function listEvents(
  { db }: QueryContext,
  digest: string,
  wanted: number,
  cursor: string | null,
  { project = null, user = null }: EventFilters = {},
): Promise<EventList | undefined> {
  const issue = await oneIssue(db, digest, project);
  if (issue === undefined) return undefined;
  const position = positionOf(cursor);
  const limit = pageSize(wanted);
  if (user !== null) return eventsOfUser(db, { issueId: issue.id, user, position, limit });
  const rows = await selectBefore(db, issue.id, position)
    .select(EVENT_COLUMNS)
    .limit(limit + 1)
    .execute();
  const page = pageOf(rows, limit, positionOfRow);
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

function positionOfRow(row: { readonly occurred_ms: number; readonly id: number }): PagePosition {
  return { value: row.occurred_ms, id: row.id };
}

interface UserPage {
  readonly issueId: number;
  readonly user: string;
  readonly position: PagePosition | null;
  readonly limit: number;
}

/**
 * Lists the events of a user. No index names users, as it would write one more page for each event: it reads the events of
 * the issue, up to {@link MAX_EVENTS_READ} for a page.
 */
async function eventsOfUser(db: Database, page: UserPage): Promise<EventList> {
  const { rows, endedAt } = await readForUser(db, page, await firstNames(db, page));
  const { rows: shown, next } = pageOf(rows, page.limit, (row) => row);
  const ids = shown.map(({ id }) => id);
  const events =
    ids.length === 0
      ? []
      : await selectBefore(db, page.issueId, null)
          .select(EVENT_COLUMNS)
          .where('event.id', 'in', ids)
          .execute();
  if (endedAt === null) return { events: events.map(eventSummaryOf), next };
  return {
    events: events.map(eventSummaryOf),
    next: cursorAt(endedAt),
    searchedSince: isoTime(endedAt.value),
  };
}

async function readForUser(
  db: Database,
  { issueId, position, limit }: UserPage,
  names: ReadonlySet<string>,
): Promise<EventsRead> {
  const found: PagePosition[] = [];
  let from = position;
  for (let read = 0; read < MAX_EVENTS_READ; read += STEP_ROWS) {
    const rows = await selectBefore(db, issueId, from)
      .select(['event.id', 'event.occurred_ms', 'event.person'])
      .limit(STEP_ROWS)
      .execute();
    for (const row of rows)
      if (row.person !== null && names.has(personFact(row.person))) found.push(positionOfRow(row));
    const last = rows.at(-1);
    if (found.length > limit || rows.length < STEP_ROWS || last === undefined)
      return { rows: found, endedAt: null };
    from = positionOfRow(last);
    await setImmediate();
  }
  return { rows: found, endedAt: from };
}

/** Returns the names by which events have a user, in the form of facts: an event has only the first name of its user. */
async function firstNames(db: Database, { issueId, user }: UserPage): Promise<ReadonlySet<string>> {
  const matches = matchesOf('user', user).flat();
  if (matches.length === 0) return new Set();
  // A flood of users leaves later ones without a fact.
  const names = new Set([personFact(user)]);
  // One at a time: joined by `or`, a database reads all facts of the issue.
  for (const match of matches) {
    const rows = await db
      .selectFrom('issue_fact')
      .select('value')
      .where('issue_id', '=', issueId)
      .where(isFact(match))
      .limit(MAX_NAMES)
      .execute();
    for (const { value } of rows) names.add(personFact(value.replace(/^.*\n/, '')));
  }
  return names;
}
