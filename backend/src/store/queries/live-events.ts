import { MAX_LIVE_PASSED, type LiveEvent, type LiveEvents } from '../../contract/live-api.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';
import { EVENT_COLUMNS, eventSummaryOf } from './event-detail.ts';
import { nameColumns, nameOf } from '../issues/read-issues.ts';

/** No user can read more events per second; the others are reported as a number. */
const MAX_AT_ONCE = 50;
/** A missing id that is further behind the newest one is no longer looked for: its transaction has failed. */
const MISSING_WINDOW = 500;
/** Id of the newest event, and for each missing id the distance to it. */
const CURSOR = /^\d{1,15}(?:\.\d{1,3}){0,500}$/;

interface LiveCursor {
  readonly lastId: number;
  /** Ids that were not visible although a later one was: PostgreSQL assigns ids before the commit. */
  readonly missing: readonly number[];
}

/**
 * Returns the events that any replica stored since an earlier call. Ids grow in the order of storing, so each query is a
 * range or a list of the primary key with a limit.
 *
 * @param cursor `next` of that call. Null or an invalid one: no events, only the cursor.
 */
export async function liveEvents({ db }: QueryContext, cursor: string | null): Promise<LiveEvents> {
  const { last } = await db
    .selectFrom('event')
    .select(({ fn }) => fn.max<number | null>('id').as('last'))
    .executeTakeFirstOrThrow();
  const lastId = last ?? 0;
  const from = readCursor(cursor);
  if (from === null) return { events: [], passed: 0, next: String(lastId) };
  const late =
    from.missing.length === 0 ? [] : await selectLive(db).where('event.id', 'in', from.missing).execute();
  const newest = await selectLive(db)
    .where('event.id', '>', from.lastId)
    .where('event.id', '<=', lastId)
    .orderBy('event.id', 'desc')
    .limit(MAX_AT_ONCE)
    .execute();
  const rows = [...late, ...newest].toSorted((one, other) => one.id - other.id);
  const passed =
    newest.length < MAX_AT_ONCE ? 0 : await countBetween(db, from.lastId, newest.at(-1)?.id ?? 0);
  const afterId = passed > 0 ? lastId : from.lastId;
  const next = nextCursor(from, lastId, afterId, new Set(rows.map(({ id }) => id)));
  return { events: rows.map(liveEvent), passed, next };
}

function readCursor(cursor: string | null): LiveCursor | null {
  if (cursor === null || !CURSOR.test(cursor)) return null;
  const [lastId = 0, ...distances] = cursor.split('.').map(Number);
  return { lastId, missing: distances.map((distance) => lastId - distance) };
}

/** The missing ids are those of before and the ones between `afterId` and the newest, without the ones seen now. */
function nextCursor(
  { missing }: LiveCursor,
  lastId: number,
  afterId: number,
  seen: ReadonlySet<number>,
): string {
  const firstId = Math.max(1, lastId - MISSING_WINDOW);
  const startId = Math.max(afterId + 1, firstId);
  const between = Array.from({ length: Math.max(0, lastId - startId) }, (_, index) => startId + index);
  const left = [...missing, ...between].filter((id) => id >= firstId && id < lastId && !seen.has(id));
  return [lastId, ...left.map((id) => lastId - id)].join('.');
}

async function countBetween(db: Database, afterId: number, beforeId: number): Promise<number> {
  const between = db
    .selectFrom('event')
    .select('id')
    .where('id', '>', afterId)
    .where('id', '<', beforeId)
    .limit(MAX_LIVE_PASSED);
  const { events } = await db
    .selectFrom(between.as('between_ids'))
    .select((row) => row.fn.countAll<number>().as('events'))
    .executeTakeFirstOrThrow();
  return events;
}

function selectLive(db: Database) {
  return db
    .selectFrom('event')
    .innerJoin('issue', 'issue.id', 'event.issue_id')
    .innerJoin('project', 'project.id', 'event.project_id')
    .select(EVENT_COLUMNS)
    .select(['issue.kind', 'issue.title', 'issue.first_seen_ms', 'project.dsn'])
    .select(nameColumns())
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
function liveEvent(row: SelectedLiveEvent): LiveEvent {
  const isNew = Boolean(row.is_earliest) && row.first_seen_ms === row.occurred_ms;
  const { kind, title } = row;
  return { ...eventSummaryOf(row), ...nameOf(row), kind, title, isNew };
}
