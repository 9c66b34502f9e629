import { isIn } from '../../contract/alert-filter.ts';
import { HOUR_MS, hourOf } from '../../time/iso.ts';
import type { StoreTransaction } from '../db/schema.ts';
import type { AlertOptions } from '../outbox/enqueue.ts';

/** Fewer events in an hour are not reported. */
const MIN_EVENTS = 100;
/** So many times the busiest hour of the day before are frequent: a daily peak is none. */
const TIMES_BUSIEST = 10;
const HOURS_BEFORE = 24;

/** The events of an issue in an hour, before and after a batch. */
export interface CountedHour {
  readonly issueId: number;
  readonly before: number;
  readonly after: number;
}

/** Returns the start of the present hour, in which issues may become frequent; null where no target wants to know. */
export function frequentHour(alerts: AlertOptions | undefined): number | null {
  const isWanted = alerts?.targets.some(({ filter }) => isIn(filter.on, 'issue.frequent')) === true;
  return isWanted ? hourOf(alerts.now()) : null;
}

/**
 * Returns the ids of the open issues that a batch has made frequent: at least {@link MIN_EVENTS} in this hour, and
 * {@link TIMES_BUSIEST} times the busiest of the 24 hours before. The limit is rounded up to a step, 100 × 2ⁿ, so that only a
 * batch in which an issue crosses a step reads these hours; no state tells that an hour was reported. An hour that was
 * frequent raises the limit of a day.
 */
export async function frequentAmong(
  trx: StoreTransaction,
  counted: readonly CountedHour[],
  hourMs: number,
): Promise<readonly number[]> {
  const crossed = new Map(
    counted.filter(({ before, after }) => before < lastStep(after)).map((hour) => [hour.issueId, hour]),
  );
  if (crossed.size === 0) return [];
  const rows = await trx
    .selectFrom('issue')
    .leftJoin('issue_hour', (join) =>
      join
        .onRef('issue_hour.issue_id', '=', 'issue.id')
        .on('issue_hour.hour_ms', '>=', hourMs - HOURS_BEFORE * HOUR_MS)
        .on('issue_hour.hour_ms', '<', hourMs),
    )
    .select((row) => ['issue.id', row.fn.max('issue_hour.events').as('busiest')])
    .where('issue.id', 'in', [...crossed.keys()])
    .where('issue.status', '=', 'open')
    .groupBy('issue.id')
    .execute();
  return rows.flatMap(({ id, busiest }) => {
    const { before = 0, after = 0 } = crossed.get(id) ?? {};
    const step = firstStep(Math.max(MIN_EVENTS, TIMES_BUSIEST * (busiest ?? 0)));
    return before < step && step <= after ? [id] : [];
  });
}

/** Returns the lowest step that is not below a number of events. */
function firstStep(events: number): number {
  return MIN_EVENTS * 2 ** Math.ceil(Math.log2(events / MIN_EVENTS));
}

/** Returns the highest step that is not above a number of events; 0 below the first. */
function lastStep(events: number): number {
  return events < MIN_EVENTS ? 0 : MIN_EVENTS * 2 ** Math.floor(Math.log2(events / MIN_EVENTS));
}
