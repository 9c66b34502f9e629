import { inSizes, runCompiled } from '../db/compiled-query.ts';
import { hourOf } from '../../time/iso.ts';
import type { StoreTransaction } from '../db/schema.ts';
import type { CountedHour } from './frequent.ts';
import { type IssueIds, issueIdOf } from './issue-rows.ts';
import type { NewEvent } from './new-rows.ts';

/**
 * Counts events by issue and hour: the histogram reads no events and outlives them.
 *
 * @returns the counts of one hour; of none without `hourMs`, which saves reading the rows back.
 */
export async function countHours(
  trx: StoreTransaction,
  events: readonly NewEvent[],
  issueIds: IssueIds,
  hourMs: number | null,
): Promise<readonly CountedHour[]> {
  const counted: CountedHour[] = [];
  for (const part of inSizes(hourRows(events, issueIds))) {
    const parameters = part.flatMap((row) => Object.values(row));
    const insert = () =>
      trx
        .insertInto('issue_hour')
        .values(part)
        .onConflict((conflict) =>
          conflict
            .columns(['issue_id', 'hour_ms'])
            .doUpdateSet((row) => ({ events: row('issue_hour.events', '+', row.ref('excluded.events')) })),
        );
    const added = new Map(
      part.filter((row) => row.hour_ms === hourMs).map((row) => [row.issue_id, row.events]),
    );
    if (added.size === 0) {
      await runCompiled(trx, `hours ${part.length}`, parameters, insert);
      continue;
    }
    const { rows } = await runCompiled(trx, `hours ${part.length} counted`, parameters, () =>
      insert().returning(['issue_id', 'hour_ms', 'events']),
    );
    for (const { issue_id: issueId, hour_ms: atMs, events: after } of rows)
      if (atMs === hourMs) counted.push({ issueId, before: after - (added.get(issueId) ?? 0), after });
  }
  return counted;
}

function hourRows(events: readonly NewEvent[], issueIds: IssueIds) {
  const rows = new Map<string, { issue_id: number; hour_ms: number; events: number }>();
  for (const { issueKey, occurredMs } of events) {
    const hourMs = hourOf(occurredMs);
    const key = `${issueKey} ${hourMs}`;
    const row = rows.get(key);
    if (row === undefined)
      rows.set(key, { issue_id: issueIdOf(issueIds, issueKey), hour_ms: hourMs, events: 1 });
    else row.events += 1;
  }
  return [...rows.values()].toSorted((a, b) => a.issue_id - b.issue_id || a.hour_ms - b.hour_ms);
}

/**
 * Most server digests for one browser issue. An error causes few others, but forged events can name another one each
 * time. Further digests stay in the events.
 */
const MAX_RELATIONS = 100;

interface RelationRow {
  readonly issue_id: number;
  readonly digest: string;
}

/** Writes which server error a browser error came from, so that the answer of either shows both. */
export async function recordRelations(
  trx: StoreTransaction,
  events: readonly NewEvent[],
  issueIds: IssueIds,
): Promise<void> {
  const related = new Map(
    events.flatMap(({ issueKey, related: digest }) =>
      digest === null ? [] : [[`${issueKey} ${digest}`, { issue_id: issueIdOf(issueIds, issueKey), digest }]],
    ),
  );
  if (related.size === 0) return;
  const rows = await withinCap(trx, [...related.values()]);
  if (rows.length === 0) return;
  await trx
    .insertInto('issue_relation')
    .values(rows.toSorted((a, b) => a.issue_id - b.issue_id || (a.digest < b.digest ? -1 : 1)))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Cuts the relations to the limit. Known ones count twice, which loses nothing: they need no row. */
async function withinCap(
  trx: StoreTransaction,
  related: readonly RelationRow[],
): Promise<readonly RelationRow[]> {
  const ofIssue = Map.groupBy(related, (row) => row.issue_id);
  const counts = await trx
    .selectFrom('issue_relation')
    .select((row) => ['issue_id', row.fn.countAll<number>().as('relations')])
    .where('issue_id', 'in', [...ofIssue.keys()])
    .groupBy('issue_id')
    .execute();
  const known = new Map(counts.map((row) => [row.issue_id, row.relations]));
  return [...ofIssue].flatMap(([id, rows]) =>
    rows.slice(0, Math.max(0, MAX_RELATIONS - (known.get(id) ?? 0))),
  );
}
