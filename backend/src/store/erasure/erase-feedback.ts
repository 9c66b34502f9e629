import type { Database } from '../db/schema.ts';
import { type ErasureRule, isErased } from '../erasure-rules/erasure-rule.ts';

/** Rows of one transaction. */
const STEP_ROWS = 200;

/** Deletes the next feedback that a rule matches. Feedback of an erased event is deleted with it. @returns as `matchingEvents`. */
export async function eraseFeedback(
  db: Database,
  rule: ErasureRule,
  afterId: number,
): Promise<{ readonly feedback: number; readonly next: number | null }> {
  const rows = await db
    .selectFrom('feedback')
    .select(['id', 'received_ms', 'feedback_id', 'event_id', 'name', 'contact'])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(STEP_ROWS)
    .execute();
  const ids = rows.filter((row) => isErased([rule], subjectOf(row))).map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom('feedback').where('id', 'in', ids).execute();
  return { feedback: ids.length, next: rows.length < STEP_ROWS ? null : (rows.at(-1)?.id ?? null) };
}

function subjectOf(row: {
  readonly received_ms: number;
  readonly feedback_id: string;
  readonly event_id: string | null;
  readonly name: string | null;
  readonly contact: string | null;
}) {
  return {
    receivedMs: row.received_ms,
    eventIds: [row.feedback_id, row.event_id ?? ''],
    names: () => [row.name ?? '', row.contact ?? ''],
  };
}
