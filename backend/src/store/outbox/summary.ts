import { randomUUID } from 'node:crypto';
import type { StoreTransaction } from '../db/schema.ts';
import type { DeliveryRow } from './render.ts';

/** Issues that a summary names; the console lists all of them. */
const MAX_NAMED = 20;

/** The due deliveries of one kind behind those that are sent one by one. */
export interface Remaining {
  /** 1 for those of confirmed issues, else 0. */
  readonly kind: number;
  readonly afterId: number;
  readonly nowMs: number;
  readonly leasedUntilMs: number;
}

/**
 * Replaces the remaining deliveries by one leased summary, which counts all of them and names the first issues. Earlier
 * summaries among them go into it with their counts and names.
 */
export async function summarise(trx: StoreTransaction, remaining: Remaining): Promise<DeliveryRow> {
  const namedBefore = await issuesOfSummaries(trx, remaining);
  // Counted from the deleted rows: on PostgreSQL another replica may enqueue deliveries meanwhile.
  const deleted = await trx
    .deleteFrom('webhook_delivery')
    .where('due_ms', '<=', remaining.nowMs)
    .where('id', '>', remaining.afterId)
    .where('is_confirmed', '=', remaining.kind)
    .returning(['id', 'issue_id', 'new_issues', 'regressed_issues'])
    .execute();
  const inOrder = deleted.toSorted((one, other) => one.id - other.id);
  const named = [...namedBefore, ...inOrder.map((row) => row.issue_id).filter((id) => id !== null)];
  const summary = await trx
    .insertInto('webhook_delivery')
    .values({
      delivery_id: randomUUID(),
      event: 'issues.summary',
      issue_id: null,
      new_issues: deleted.reduce((sum, row) => sum + row.new_issues, 0),
      regressed_issues: deleted.reduce((sum, row) => sum + row.regressed_issues, 0),
      created_ms: remaining.nowMs,
      due_ms: remaining.leasedUntilMs,
      attempts: 1,
      is_confirmed: remaining.kind,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const rows = [...new Set(named)].slice(0, MAX_NAMED).map((id, place) => ({
    summary_id: summary.id,
    place,
    issue_id: id,
  }));
  if (rows.length > 0) await trx.insertInto('webhook_summary_issue').values(rows).execute();
  return summary;
}

/** Returns the issues that the summaries among the remaining deliveries name. */
async function issuesOfSummaries(
  trx: StoreTransaction,
  { kind, afterId, nowMs }: Remaining,
): Promise<readonly number[]> {
  const rows = await trx
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_summary_issue', 'webhook_summary_issue.summary_id', 'webhook_delivery.id')
    .select('webhook_summary_issue.issue_id')
    .where('webhook_delivery.due_ms', '<=', nowMs)
    .where('webhook_delivery.id', '>', afterId)
    .where('webhook_delivery.is_confirmed', '=', kind)
    .orderBy('webhook_delivery.id')
    .orderBy('webhook_summary_issue.place')
    .limit(MAX_NAMED)
    .execute();
  return rows.map((row) => row.issue_id);
}
