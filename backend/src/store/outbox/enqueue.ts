import { randomUUID } from 'node:crypto';
import type { IssueEvent } from '../../contract/webhook-api.ts';
import { inSizes } from '../db/compiled-query.ts';
import type { StoreTransaction } from '../db/schema.ts';

/** Options of the outbox, set where a webhook is configured. */
export interface WebhookOptions {
  /** Origin of the console's links; null when it is not set. */
  readonly publicUrl: string | null;
  readonly now: () => number;
}

/** An issue to report. */
export interface AlertedIssue {
  readonly id: number;
  readonly isConfirmed: boolean;
}

/**
 * Enqueues a delivery for each issue, in the transaction that creates or reopens it, so that no kill separates the two.
 * Does nothing where no webhook is configured.
 *
 * store/outbox/ keeps the queued webhook deliveries. A row holds the issue's id and no text of it: the body is rendered
 * when the delivery is claimed, so that a queued row never contains data that was erased meanwhile.
 */
export async function enqueueDeliveries(
  trx: StoreTransaction,
  webhook: WebhookOptions | undefined,
  event: IssueEvent,
  issues: readonly AlertedIssue[],
): Promise<void> {
  if (webhook === undefined) return;
  const nowMs = webhook.now();
  for (const part of inSizes(issues)) {
    const rows = part.map(({ id, isConfirmed }) => ({
      delivery_id: randomUUID(),
      event,
      issue_id: id,
      new_issues: event === 'issue.new' ? 1 : 0,
      regressed_issues: event === 'issue.regressed' ? 1 : 0,
      created_ms: nowMs,
      due_ms: nowMs,
      attempts: 0,
      is_confirmed: isConfirmed ? 1 : 0,
    }));
    await trx.insertInto('webhook_delivery').values(rows).execute();
  }
}

/** Puts the queued deliveries of issues that became confirmed among those that are claimed first. */
export async function confirmDeliveries(trx: StoreTransaction, issueIds: readonly number[]): Promise<void> {
  if (issueIds.length === 0) return;
  await trx
    .updateTable('webhook_delivery')
    .set({ is_confirmed: 1 })
    .where('issue_id', 'in', issueIds)
    .execute();
}
