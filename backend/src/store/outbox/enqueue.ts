import { randomUUID } from 'node:crypto';
import type { IssueCall, IssueEvent, WebhookIssue } from '../../contract/webhook-api.ts';
import { inSizes } from '../db/compiled-query.ts';
import { selectIssues, type IssueRow } from '../issues/read-issues.ts';
import { isoTime } from '../../time/iso.ts';
import type { StoreTransaction } from '../db/schema.ts';

/** That somebody is to be told of issues, and what the calls need to know. */
export interface WebhookNotes {
  /** Origin under which people reach the console; null when it is not set. */
  readonly publicUrl: string | null;
  readonly now: () => number;
}

/**
 * Notes that somebody is to hear of these issues: in the transaction that makes them what they are, so that no kill comes
 * between the two. Does nothing where no webhook is set.
 */
export async function noteWebhook(
  trx: StoreTransaction,
  notes: WebhookNotes | undefined,
  event: IssueEvent,
  issueIds: readonly number[],
): Promise<void> {
  if (notes === undefined || issueIds.length === 0) return;
  const nowMs = notes.now();
  for (const ids of inSizes(issueIds)) {
    const issues = await selectIssues(trx).where('issue.id', 'in', ids).orderBy('issue.id').execute();
    const rows = issues.map((row) => {
      const issue = webhookIssueOf(row, notes.publicUrl);
      const call: IssueCall = { id: randomUUID(), event, time: isoTime(nowMs), issue };
      return { kind: event, body: JSON.stringify(call), made_ms: nowMs, next_ms: nowMs, tries: 0 };
    });
    if (rows.length > 0) await trx.insertInto('webhook_call').values(rows).execute();
  }
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

/** As the console links it: with the project where the digest alone would not lead to this issue. */
function permalinkOf({ digest, dsn, is_shared: shared }: IssueRow, publicUrl: string): string {
  const project = shared === 1 ? `?project=${encodeURIComponent(dsn)}` : '';
  return `${publicUrl}/console/e/${encodeURIComponent(digest)}${project}`;
}
