import { randomUUID } from 'node:crypto';
import { inSizes } from '../db/compiled-query.ts';
import type { StoreTransaction } from '../db/schema.ts';
import { type AlertTarget, allows, type RaisedAlert } from './targets.ts';

/** Options of the outbox, set where alerts have a target. */
export interface AlertOptions {
  /** Origin of the console's links; null when it is not set. */
  readonly publicUrl: string | null;
  readonly now: () => number;
  readonly targets: readonly AlertTarget[];
}

/** An issue to report. */
export interface AlertedIssue extends Omit<RaisedAlert, 'event'> {
  readonly id: number;
  readonly isConfirmed: boolean;
}

/**
 * Enqueues an alert for each issue and each target that wants it, in the transaction that creates or reopens the issue, so that no
 * kill separates the two. Does nothing where alerts have no target.
 *
 * store/outbox/ keeps the queued alerts. A row holds the issue's id and no text of it: the body is rendered when the alert is
 * claimed, so that a queued row never contains data that was erased meanwhile.
 */
export async function enqueueAlerts(
  trx: StoreTransaction,
  options: AlertOptions | undefined,
  event: RaisedAlert['event'],
  issues: readonly AlertedIssue[],
): Promise<void> {
  if (options === undefined) return;
  const nowMs = options.now();
  const rows = issues.flatMap((issue) =>
    options.targets
      .filter(({ filter }) => allows(filter, { ...issue, event }))
      .map((target) => ({
        ...newRow(target.id, nowMs),
        event,
        issue_id: issue.id,
        is_confirmed: issue.isConfirmed ? 1 : 0,
      })),
  );
  for (const part of inSizes(rows)) await trx.insertInto('alert').values(part).execute();
}

/** Returns the columns of a row that has not been tried. */
export function newRow(target: string, nowMs: number) {
  return { delivery_id: randomUUID(), target, created_ms: nowMs, due_ms: nowMs, attempts: 0 };
}

/** Puts the queued alerts of issues that became confirmed among those that are claimed first. */
export async function confirmAlerts(trx: StoreTransaction, issueIds: readonly number[]): Promise<void> {
  if (issueIds.length === 0) return;
  await trx.updateTable('alert').set({ is_confirmed: 1 }).where('issue_id', 'in', issueIds).execute();
}
