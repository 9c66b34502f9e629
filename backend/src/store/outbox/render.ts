import type { Selectable } from 'kysely';
import type { WebhookBody, WebhookIssue } from '../../contract/webhook-api.ts';
import { isoTime } from '../../time/iso.ts';
import type { StoreTransaction, StoreTables } from '../db/schema.ts';
import { type IssueRow, nameOf, selectIssues } from '../issues/read-issues.ts';

export type DeliveryRow = Selectable<StoreTables['webhook_delivery']>;

/** Renders the JSON of leased deliveries from the issues as they are now, by the id of the row. */
export async function renderBodies(
  trx: StoreTransaction,
  rows: readonly DeliveryRow[],
  publicUrl: string | null,
): Promise<ReadonlyMap<number, string>> {
  const named = await namedIssues(trx, rows);
  const issues = await issuesById(trx, [...named.values()].flat(), publicUrl);
  const bodies = new Map<number, string>();
  for (const row of rows) {
    const ofRow = (named.get(row.id) ?? []).flatMap((id) => issues.get(id) ?? []);
    const body = bodyOf(row, ofRow, publicUrl);
    if (body !== null) bodies.set(row.id, JSON.stringify(body));
  }
  return bodies;
}

function bodyOf(
  row: DeliveryRow,
  issues: readonly WebhookIssue[],
  publicUrl: string | null,
): WebhookBody | null {
  const { delivery_id: id, event } = row;
  const time = isoTime(row.created_ms);
  if (event !== 'issues.summary') {
    const [issue] = issues;
    return issue === undefined ? null : { id, event, time, issue };
  }
  const counts = { 'issue.new': row.new_issues, 'issue.regressed': row.regressed_issues };
  const permalink = publicUrl === null ? null : `${publicUrl}/console/issues`;
  return { id, event, time, counts, issues, permalink };
}

/** Returns the ids of the issues that each delivery names, by the id of the row. */
async function namedIssues(
  trx: StoreTransaction,
  rows: readonly DeliveryRow[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const named = new Map<number, readonly number[]>();
  for (const { id, issue_id: issueId } of rows) if (issueId !== null) named.set(id, [issueId]);
  const summaries = rows.filter(({ event }) => event === 'issues.summary').map(({ id }) => id);
  if (summaries.length === 0) return named;
  const members = await trx
    .selectFrom('webhook_summary_issue')
    .select(['summary_id', 'issue_id'])
    .where('summary_id', 'in', summaries)
    .orderBy('place')
    .execute();
  for (const [id, group] of Map.groupBy(members, (member) => member.summary_id)) {
    named.set(
      id,
      group.map((member) => member.issue_id),
    );
  }
  return named;
}

async function issuesById(
  trx: StoreTransaction,
  ids: readonly number[],
  publicUrl: string | null,
): Promise<ReadonlyMap<number, WebhookIssue>> {
  if (ids.length === 0) return new Map();
  const rows = await selectIssues(trx)
    .where('issue.id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, webhookIssueOf(row, publicUrl)]));
}

function webhookIssueOf(row: IssueRow, publicUrl: string | null): WebhookIssue {
  return {
    digest: row.digest,
    key: row.digest_key,
    kind: row.kind,
    title: row.title,
    project: row.dsn,
    release: row.last_release,
    events: row.events,
    users: row.users,
    firstSeen: isoTime(row.first_seen_ms),
    lastSeen: isoTime(row.last_seen_ms),
    permalink: publicUrl === null ? null : permalinkOf(row, publicUrl),
  };
}

/** Returns the console's link, with the project where the digest alone would name several issues. */
function permalinkOf(row: IssueRow, publicUrl: string): string {
  const { address, project, isShared } = nameOf(row);
  const query = isShared ? `?project=${encodeURIComponent(project)}` : '';
  return `${publicUrl}/console/e/${encodeURIComponent(address)}${query}`;
}
