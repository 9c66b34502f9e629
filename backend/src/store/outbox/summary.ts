import type { StoreTransaction } from '../db/schema.ts';
import { newRow } from './enqueue.ts';
import type { AlertRow } from './render.ts';

/** The due alerts of a target and kind behind those that are sent one by one. */
export interface Remaining {
  readonly target: string;
  /** 1 for those of confirmed issues, else 0. */
  readonly kind: number;
  readonly afterId: number;
  readonly nowMs: number;
}

/**
 * Puts the remaining alerts behind one new summary, which is due in their place. They are deleted when it is sent. Alerts
 * behind earlier summaries among them go behind the new one.
 */
export async function summarise(trx: StoreTransaction, remaining: Remaining): Promise<AlertRow> {
  const { target, kind, afterId, nowMs } = remaining;
  const summary = await trx
    .insertInto('alert')
    .values({ ...newRow(target, nowMs), due_ms: null, event: 'issues.summary', is_confirmed: kind })
    .returningAll()
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('alert')
    .set({ summary_id: summary.id, due_ms: null })
    .where('target', '=', target)
    .where('due_ms', '<=', nowMs)
    .where('is_confirmed', '=', kind)
    .where('id', '>', afterId)
    .execute();
  const earlier = trx
    .selectFrom('alert')
    .select('id')
    .where('summary_id', '=', summary.id)
    .where('event', '=', 'issues.summary');
  await trx.updateTable('alert').set({ summary_id: summary.id }).where('summary_id', 'in', earlier).execute();
  await trx
    .deleteFrom('alert')
    .where('summary_id', '=', summary.id)
    .where('event', '=', 'issues.summary')
    .execute();
  return summary;
}
