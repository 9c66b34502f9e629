import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Flavor } from '../db/schema.ts';

/** Largest size of feedback: its longest message and names (event/feedback.ts), and its index entries. */
const FEEDBACK_BYTES = 5_500;
/** Rows of one transaction. */
const CHUNK = 500;

/** Deletes feedback received before a time, then the oldest until the rest fits. @returns the bytes of the rest. */
export async function retainFeedback(db: Database, cutoffMs: number, maxBytes: number): Promise<number> {
  await db.deleteFrom('feedback').where('received_ms', '<', cutoffMs).execute();
  const { rows } = await db
    .selectFrom('feedback')
    .select((row) => row.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow();
  const remaining = Math.min(rows, Math.floor(maxBytes / FEEDBACK_BYTES));
  for (let excess = rows - remaining; excess > 0; excess -= CHUNK) {
    await db
      .deleteFrom('feedback')
      .where('id', 'in', (query) =>
        query
          .selectFrom('feedback')
          .select('id')
          .orderBy('received_ms')
          .orderBy('id')
          .limit(Math.min(CHUNK, excess)),
      )
      .execute();
    await setImmediate();
  }
  return remaining * FEEDBACK_BYTES;
}

/**
 * Assigns feedback to its event's issue where two concurrent transactions on PostgreSQL wrote them without seeing each
 * other's rows. SQLite has one writer.
 */
export async function adoptMissed(db: Database, flavor: Flavor): Promise<void> {
  if (flavor === 'sqlite') return;
  await sql`
    update feedback set issue_id = event.issue_id from event
    where feedback.issue_id is null and event.event_id = feedback.event_id
  `.execute(db);
}
