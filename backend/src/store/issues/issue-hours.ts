import type { HourCount } from '../../contract/issues-api.ts';
import type { Database } from '../db/schema.ts';
import { DAY_MS, HOUR_MS, hourOf, isoTime } from '../../time/iso.ts';

const HOURS = 24;
const DAYS = 28;

/** Returns the events of each of the last 24 hours, oldest first, by issue id. */
export async function hoursOfIssues(
  db: Database,
  issueIds: readonly number[],
  nowMs: number,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const firstMs = hourOf(nowMs) - (HOURS - 1) * HOUR_MS;
  const hours = new Map(issueIds.map((id) => [id, Array.from({ length: HOURS }, () => 0)]));
  if (hours.size === 0) return hours;
  const rows = await db
    .selectFrom('issue_hour')
    .select(['issue_id', 'hour_ms', 'events'])
    .where('issue_id', 'in', [...hours.keys()])
    .where('hour_ms', '>=', firstMs)
    .execute();
  for (const row of rows) {
    const counts = hours.get(row.issue_id);
    const at = (row.hour_ms - firstMs) / HOUR_MS;
    if (counts?.[at] !== undefined) counts[at] = row.events;
  }
  return hours;
}

/** Returns the last 24 hours and the last 28 days of an issue, oldest first; days are in UTC. */
export async function historyOf(
  db: Database,
  issueId: number,
  nowMs: number,
): Promise<{ readonly hours: readonly HourCount[]; readonly days: readonly HourCount[] }> {
  const firstHourMs = hourOf(nowMs) - (HOURS - 1) * HOUR_MS;
  const firstDayMs = nowMs - (nowMs % DAY_MS) - (DAYS - 1) * DAY_MS;
  const rows = await db
    .selectFrom('issue_hour')
    .select(['hour_ms', 'events'])
    .where('issue_id', '=', issueId)
    .where('hour_ms', '>=', firstDayMs)
    .execute();
  const byDay = new Map<number, number>();
  for (const row of rows) {
    const dayMs = row.hour_ms - (row.hour_ms % DAY_MS);
    byDay.set(dayMs, (byDay.get(dayMs) ?? 0) + row.events);
  }
  const byHour = new Map(rows.map((row) => [row.hour_ms, row.events]));
  return {
    hours: countsFrom(firstHourMs, HOUR_MS, HOURS, byHour),
    days: countsFrom(firstDayMs, DAY_MS, DAYS, byDay),
  };
}

function countsFrom(
  firstMs: number,
  stepMs: number,
  length: number,
  counts: ReadonlyMap<number, number>,
): readonly HourCount[] {
  return Array.from({ length }, (_, index) => firstMs + index * stepMs).map((timeMs) => ({
    hour: isoTime(timeMs),
    count: counts.get(timeMs) ?? 0,
  }));
}
