import type { LiveEvent } from '../../contract/live-api.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';
import { eventSummaryOf } from './event-detail.ts';
import { isShared, nameOf } from '../issues/read-issues.ts';

/** A new event with its id: ids grow in the order of storing. */
interface LiveRow {
  readonly id: number;
  readonly event: LiveEvent;
}

/** The events that were stored since an earlier call. */
export interface LiveRows {
  /** Oldest first: the newest of the stored events, and events that were missing before. */
  readonly rows: readonly LiveRow[];
  /** Stored events that are not among the rows, because of the limit. */
  readonly passed: number;
  /** Id of the newest event. */
  readonly lastId: number;
}

/**
 * Returns the events that any replica stored after one.
 *
 * @param missing earlier ids that may still appear: PostgreSQL assigns ids before the commit, so that a later one may be
 * visible earlier.
 * @param limit most rows after that event.
 */
export async function liveEvents(
  context: QueryContext,
  afterId: number,
  missing: readonly number[],
  limit: number,
): Promise<LiveRows> {
  const { db } = context;
  const lastId = await lastEventId(context);
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

/** Returns the id of the newest event, 0 in an empty store. */
export async function lastEventId({ db }: QueryContext): Promise<number> {
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

type SelectedLiveEvent = Awaited<ReturnType<ReturnType<typeof selectLive>['execute']>>[number];

/** The earliest stored event is the first only if no earlier one was counted. */
function liveRow(row: SelectedLiveEvent): LiveRow {
  const isNew = Boolean(row.is_earliest) && row.first_seen_ms === row.occurred_ms;
  const { id, kind, title } = row;
  return { id, event: { ...eventSummaryOf(row), ...nameOf(row), kind, title, isNew } };
}
