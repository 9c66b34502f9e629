import { padded, runCompiled } from '../db/compiled-query.ts';
import type { StoreTransaction } from '../db/schema.ts';
import { type IssueIds, issueIdOf } from './issue-rows.ts';
import type { NewEvent } from './new-rows.ts';
import { isEarlierByName } from './release-order.ts';

interface ResolvedIssue {
  readonly id: number;
  readonly status_ms: number;
  readonly resolved_release: string | null;
  readonly is_confirmed: number;
}

/**
 * Reopens the resolved issues that happened again and returns their ids. An issue that was resolved in a release stays
 * resolved for events of earlier releases: by their names, else first seen earlier. An unknown order reopens it, because a
 * false alarm costs less than a missed one. For a confirmed issue only the releases of confirmed events have an order: a
 * stranger can send a release before or after it exists. The transaction has locked the rows before.
 */
export async function reopenRegressed(
  trx: StoreTransaction,
  events: readonly NewEvent[],
  issueIds: IssueIds,
): Promise<readonly number[]> {
  const byIssue = Map.groupBy(events, (event) => issueIdOf(issueIds, event.issueKey));
  const resolved = await resolvedAmong(trx, [...byIssue.keys()]);
  const reopened: number[] = [];
  for (const issue of resolved) {
    const later = (byIssue.get(issue.id) ?? []).filter((event) => event.occurredMs > issue.status_ms);
    const regression = await firstRegression(trx, issue, later);
    if (regression === undefined) continue;
    await trx
      .updateTable('issue')
      .set({ status: 'open', resolved_release: null, regressed_ms: regression.occurredMs })
      .where('id', '=', issue.id)
      .execute();
    reopened.push(issue.id);
  }
  return reopened;
}

async function resolvedAmong(
  trx: StoreTransaction,
  issueIds: readonly number[],
): Promise<readonly ResolvedIssue[]> {
  const ids = padded(issueIds);
  if (ids.length === 0) return [];
  const { rows } = await runCompiled(trx, `resolved ${ids.length}`, [...ids, 'resolved'], () =>
    trx
      .selectFrom('issue')
      .select(['id', 'status_ms', 'resolved_release', 'is_confirmed'])
      .where('id', 'in', ids)
      .where('status', '=', 'resolved'),
  );
  return rows;
}

/** Returns the earliest event that contradicts the resolution. */
async function firstRegression(
  trx: StoreTransaction,
  issue: ResolvedIssue,
  events: readonly NewEvent[],
): Promise<NewEvent | undefined> {
  const { resolved_release: resolvedIn, status_ms: resolvedMs } = issue;
  const inOrder = events.toSorted((one, other) => one.occurredMs - other.occurredMs);
  if (resolvedIn === null || inOrder[0] === undefined) return inOrder[0];
  const firstSeen = await firstSeenOf(trx, inOrder[0].projectId, issue, [
    resolvedIn,
    ...inOrder.map(({ release }) => release).filter((release) => release !== null),
  ]);
  // A fix may send no event at all: only releases from before the resolution are then earlier.
  const fixedMs = firstSeen.get(resolvedIn) ?? resolvedMs;
  const isEarlier = (release: string): boolean =>
    isEarlierByName(release, resolvedIn) ?? (firstSeen.get(release) ?? Infinity) < fixedMs;
  return inOrder.find(({ release }) => release === null || !isEarlier(release));
}

async function firstSeenOf(
  trx: StoreTransaction,
  projectId: number,
  issue: ResolvedIssue,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await trx
    .selectFrom('release')
    .select(['name', 'first_seen_ms'])
    .where('project_id', '=', projectId)
    .where('name', 'in', padded(names))
    .where('is_confirmed', '>=', issue.is_confirmed)
    .execute();
  return new Map(rows.map((row) => [row.name, row.first_seen_ms]));
}
