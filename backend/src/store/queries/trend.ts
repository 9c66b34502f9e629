import { TREND_HOURS, type Trend, type TrendRelease } from '../../contract/trend-api.ts';
import { HOUR_MS, hourOf, isoTime } from '../../time/iso.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';
import { BROWSER_HOURS, SERVER_HOURS } from '../issues/hour-sources.ts';

const MAX_RELEASES = 20;

/** Returns the events of each of the last hours. @param project canonical DSN; null for all. */
export async function trendOf({ db, now }: QueryContext, project: string | null = null): Promise<Trend> {
  const fromMs = hourOf(now()) - (TREND_HOURS - 1) * HOUR_MS;
  const rows = await db
    .selectFrom('project_hour')
    .select((row) => ['hour_ms', 'source', row.fn.sum<number>('events').as('events')])
    .where('hour_ms', '>=', fromMs)
    .$if(project !== null, (query) => query.where('project_id', '=', idOf(db, project)))
    .groupBy(['hour_ms', 'source'])
    .execute();
  const counts = new Map(rows.map((row) => [`${row.source} ${row.hour_ms}`, row.events]));
  const hoursOf = (source: number): readonly number[] =>
    Array.from({ length: TREND_HOURS }, (_, at) => counts.get(`${source} ${fromMs + at * HOUR_MS}`) ?? 0);
  return {
    from: isoTime(fromMs),
    server: hoursOf(SERVER_HOURS),
    browser: hoursOf(BROWSER_HOURS),
    releases: await releasesSince(db, fromMs, project),
  };
}

/** A stranger can send any number of releases: the confirmed ones come first. */
async function releasesSince(
  db: Database,
  fromMs: number,
  project: string | null,
): Promise<readonly TrendRelease[]> {
  const rows = await db
    .selectFrom('release')
    .innerJoin('project', 'project.id', 'release.project_id')
    .select(['release.name', 'release.first_seen_ms', 'project.dsn'])
    .where('release.first_seen_ms', '>=', fromMs)
    .$if(project !== null, (query) => query.where('project.dsn', '=', project ?? ''))
    .orderBy('release.is_confirmed', 'desc')
    .orderBy('release.first_seen_ms', 'desc')
    .orderBy('release.name')
    .limit(MAX_RELEASES)
    .execute();
  return rows
    .toSorted((one, other) => other.first_seen_ms - one.first_seen_ms)
    .map((row) => ({ name: row.name, project: row.dsn, time: isoTime(row.first_seen_ms) }));
}

function idOf(db: Database, project: string | null) {
  return db
    .selectFrom('project')
    .select('id')
    .where('dsn', '=', project ?? '');
}
