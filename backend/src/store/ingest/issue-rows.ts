import { type RawBuilder, sql } from 'kysely';
import type { StoreTransaction } from '../schema.ts';
import type { NewEvent } from './new-rows.ts';

export interface ProjectEvent extends NewEvent {
  readonly projectId: number;
}

export interface IssueEvent extends ProjectEvent {
  readonly issueId: number;
}

/** Gives every event its issue, making the issues that are new with no event counted yet. */
export async function ensureIssues(
  trx: StoreTransaction,
  events: readonly ProjectEvent[],
): Promise<readonly IssueEvent[]> {
  const wanted = byIssue(events);
  let known = await issueIds(trx, events);
  const missing = [...wanted].filter(([key]) => !known.has(key));
  if (missing.length > 0) {
    const rows = missing.map(([, group]) => ({ ...issueRow(group), events: 0 }));
    await trx
      .insertInto('issue')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    known = await issueIds(trx, events);
  }
  return events.map((event) => ({ ...event, issueId: idOf(known, event) }));
}

/** Adds written events to their issues; title and last release are the newest event's. */
export async function countIssues(trx: StoreTransaction, events: readonly IssueEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = [...byIssue(events).values()].map(issueRow);
  await trx
    .insertInto('issue')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['digest_key', 'project_id']).doUpdateSet((row) => ({
        events: row('issue.events', '+', row.ref('excluded.events')),
        title: ifNewer<string>('title'),
        last_release: ifNewer<string | null>('last_release'),
        last_seen_ms: ifNewer<number>('last_seen_ms'),
        first_release: ifOlder<string | null>('first_release'),
        first_seen_ms: ifOlder<number>('first_seen_ms'),
      })),
    )
    .execute();
}

function ifNewer<T>(column: string): RawBuilder<T> {
  const [added, known] = [sql.ref(`excluded.${column}`), sql.ref(`issue.${column}`)];
  return sql<T>`case when excluded.last_seen_ms >= issue.last_seen_ms then ${added} else ${known} end`;
}

function ifOlder<T>(column: string): RawBuilder<T> {
  const [added, known] = [sql.ref(`excluded.${column}`), sql.ref(`issue.${column}`)];
  return sql<T>`case when excluded.first_seen_ms < issue.first_seen_ms then ${added} else ${known} end`;
}

/** In the order of the keys: see writeRows. */
function byIssue<E extends ProjectEvent>(events: readonly E[]): ReadonlyMap<string, readonly E[]> {
  const groups = Map.groupBy(events, (event) => issueKey(event.digestKey, event.projectId));
  return new Map([...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function issueKey(digestKey: string, projectId: number): string {
  return `${digestKey} ${projectId}`;
}

async function issueIds(
  trx: StoreTransaction,
  events: readonly ProjectEvent[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await trx
    .selectFrom('issue')
    .select(['id', 'digest_key', 'project_id'])
    .where('digest_key', 'in', [...new Set(events.map(({ digestKey }) => digestKey))])
    .execute();
  return new Map(rows.map((row) => [issueKey(row.digest_key, row.project_id), row.id]));
}

function idOf(known: ReadonlyMap<string, number>, event: ProjectEvent): number {
  const id = known.get(issueKey(event.digestKey, event.projectId));
  if (id === undefined) throw new Error('issue has no row');
  return id;
}

/** What a group of events of one issue says of it. */
function issueRow(group: readonly ProjectEvent[]) {
  const ordered = group.toSorted((a, b) => a.occurredMs - b.occurredMs);
  const [first] = ordered;
  const last = ordered.at(-1);
  if (first === undefined || last === undefined) throw new Error('issue without an event');
  return {
    project_id: first.projectId,
    digest_key: first.digestKey,
    digest: first.digest,
    kind: first.kind,
    title: last.title,
    events: group.length,
    first_seen_ms: first.occurredMs,
    last_seen_ms: last.occurredMs,
    first_release: first.release,
    last_release: last.release,
  };
}
