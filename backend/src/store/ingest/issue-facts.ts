import { hourOf } from '../hours.ts';
import type { StoreTransaction } from '../schema.ts';
import type { IssueEvent } from './issue-rows.ts';

/** One counter for each issue and hour: the histogram never looks at events, and outlives them. */
export async function countHours(trx: StoreTransaction, events: readonly IssueEvent[]): Promise<void> {
  if (events.length === 0) return;
  const counts = new Map<string, { issue_id: number; hour_ms: number; events: number }>();
  for (const { issueId, occurredMs } of events) {
    const key = `${issueId} ${hourOf(occurredMs)}`;
    const before = counts.get(key)?.events ?? 0;
    counts.set(key, { issue_id: issueId, hour_ms: hourOf(occurredMs), events: before + 1 });
  }
  const rows = [...counts.values()].toSorted((a, b) => a.issue_id - b.issue_id || a.hour_ms - b.hour_ms);
  await trx
    .insertInto('issue_hour')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['issue_id', 'hour_ms'])
        .doUpdateSet((row) => ({ events: row('issue_hour.events', '+', row.ref('excluded.events')) })),
    )
    .execute();
}

/** Notes which server's failure a browser's came from, so that the answer of either shows both. */
export async function relateIssues(trx: StoreTransaction, events: readonly IssueEvent[]): Promise<void> {
  const related = new Map(
    events.flatMap(({ issueId, related: digest }) =>
      digest === null ? [] : [[`${issueId} ${digest}`, { issue_id: issueId, digest }]],
    ),
  );
  if (related.size === 0) return;
  await trx
    .insertInto('issue_relation')
    .values(
      [...related.values()].toSorted((a, b) => a.issue_id - b.issue_id || (a.digest < b.digest ? -1 : 1)),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
