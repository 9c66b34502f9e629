import type { LiveEvent } from '../../contract/live-api.ts';
import type { Database } from '../db/schema.ts';
import { eventSummaryOf } from './event-detail.ts';
import { isShared, nameOf } from '../issues/read-issues.ts';

/** An event as it came in, with its place in the order in which they did. */
interface LiveRow {
  readonly id: number;
  readonly event: LiveEvent;
}

/** What came since a look before. */
export interface LiveRows {
  /** Oldest first: the newest of those that came, and those that were missing and are here now. */
  readonly rows: readonly LiveRow[];
  /** Events that came and are not among the rows, because there were so many. */
  readonly passed: number;
  /** Id of the newest event there is. */
  readonly lastId: number;
}

/**
 * The events that were stored after one, by whatever process.
 *
 * @param missing ids before it that are still to come: PostgreSQL gives ids out before the commit, so that a later one
 * may be seen earlier.
 * @param limit most rows of those that came after.
 */
export async function liveEvents(
  db: Database,
  afterId: number,
  missing: readonly number[],
  limit: number,
): Promise<LiveRows> {
  const lastId = await lastEventId(db);
  const late = missing.length === 0 ? [] : await selectLive(db).where('event.id', 'in', missing).execute();
  if (lastId <= afterId) return { rows: late.map(liveRow), passed: 0, lastId };
  const newest = await selectLive(db)
    .where('event.id', '>', afterId)
    .where('event.id', '<=', lastId)
    .orderBy('event.id', 'desc')
    .limit(limit)
    .execute();
  const rows = [...late, ...newest].toSorted((one, other) => one.id - other.id);
  const passed = newest.length < limit ? 0 : await countBetween(db, afterId, newest.at(-1)?.id ?? 0);
  return { rows: rows.map(liveRow), passed, lastId };
}

/** Id of the newest event, 0 where there is none. */
export async function lastEventId(db: Database): Promise<number> {
  const row = await db.selectFrom('event').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

async function countBetween(db: Database, afterId: number, beforeId: number): Promise<number> {
  const { events } = await db
    .selectFrom('event')
    .select((row) => row.fn.countAll<number>().as('events'))
    .where('id', '>', afterId)
    .where('id', '<', beforeId)
    .executeTakeFirstOrThrow();
  return events;
}

function selectLive(db: Database) {
  return db
    .selectFrom('event')
    .innerJoin('issue', 'issue.id', 'event.issue_id')
    .innerJoin('project', 'project.id', 'event.project_id')
    .select(['event.id', 'event.event_id', 'event.occurred_ms', 'event.release', 'event.environment'])
    .select(['event.path', 'event.browser', 'event.person'])
    .select(['issue.digest', 'issue.kind', 'issue.title', 'issue.first_seen_ms', 'project.dsn'])
    .select(isShared())
    .select((row) =>
      row
        .not(
          row.exists(
            row
              .selectFrom('event as earlier')
              .select('earlier.id')
              .whereRef('earlier.issue_id', '=', 'event.issue_id')
              .whereRef('earlier.id', '<', 'event.id'),
          ),
        )
        .as('is_earliest'),
    );
}

type Row = Awaited<ReturnType<ReturnType<typeof selectLive>['execute']>>[number];

/** The earliest that is kept is the first one only if no earlier one was counted. */
function liveRow(row: Row): LiveRow {
  const isNew = Boolean(row.is_earliest) && row.first_seen_ms === row.occurred_ms;
  const { id, kind, title } = row;
  return { id, event: { ...eventSummaryOf(row), ...nameOf(row), kind, title, isNew } };
}
