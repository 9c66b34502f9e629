import { type Selectable, sql } from 'kysely';
import { projectName } from '../../contract/project-name.ts';
import type { WebhookBody, WebhookIssue } from '../../contract/webhook-api.ts';
import { isoTime } from '../../time/iso.ts';
import type { StoreTransaction, StoreTables } from '../db/schema.ts';
import { columnText } from '../event/column-text.ts';
import { factsOf } from '../event/event-facts.ts';
import { decodeStoredEvent } from '../event/stored-event.ts';
import { type IssueRow, nameOf, selectIssues } from '../issues/read-issues.ts';

/** The longest level is `warning`. */
const MAX_LEVEL_LENGTH = 20;

interface NewestRow extends IssueRow {
  readonly newest_payload: Uint8Array | null;
}

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
  const { event: type } = row;
  const timestamp = isoTime(row.created_ms);
  if (type !== 'issues.summary') {
    const [data] = issues;
    return data === undefined ? null : { type, timestamp, data };
  }
  const counts = { 'issue.new': row.new_issues, 'issue.regressed': row.regressed_issues };
  const link = publicUrl === null ? null : `${publicUrl}/console/issues`;
  return { type, timestamp, data: { counts, issues, link } };
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
    .select(newestPayload.as('newest_payload'))
    .where('issue.id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, webhookIssueOf(row, publicUrl)]));
}

/** Selects the payload of the newest event that is stored in full. */
const newestPayload = sql<Uint8Array | null>`(
  select payload from event where event.issue_id = issue.id and is_brief = 0
  order by event.occurred_ms desc, event.id desc limit 1
)`;

function webhookIssueOf(row: NewestRow, publicUrl: string | null): WebhookIssue {
  const event = row.newest_payload === null ? null : decodeStoredEvent(row.newest_payload).event;
  return {
    digest: row.digest,
    key: row.digest_key,
    kind: row.kind,
    isConfirmed: row.is_confirmed === 1,
    title: row.title,
    project: projectName(row.dsn),
    release: row.last_release,
    environment: event && factsOf(event, row.kind, null).environment,
    level: event && (columnText(event['level'], MAX_LEVEL_LENGTH) ?? 'error'),
    events: row.events,
    users: row.users,
    firstSeen: isoTime(row.first_seen_ms),
    lastSeen: isoTime(row.last_seen_ms),
    link: publicUrl === null ? null : linkOf(row, publicUrl),
  };
}

/** Returns the console's link, with the project where the digest alone would name several issues. */
function linkOf(row: IssueRow, publicUrl: string): string {
  const { address, project, isShared } = nameOf(row);
  const query = isShared ? `?project=${encodeURIComponent(project)}` : '';
  return `${publicUrl}/console/e/${encodeURIComponent(address)}${query}`;
}
