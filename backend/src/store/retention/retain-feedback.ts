import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { FEEDBACK_BYTES } from '../db/occupied-bytes.ts';
import type { Database, Flavor } from '../db/schema.ts';

/** Rows of one transaction. */
const CHUNK = 500;

export interface RetainedFeedback {
  /** Bytes of the rest. */
  readonly bytes: number;
  /** Number of the deleted. */
  readonly deleted: number;
  /** Those among them that had not reached the maximum age. */
  readonly early: number;
}

/**
 * Deletes feedback received before a time, then until the rest fits: the oldest above the share of its sender network, then
 * the oldest of all.
 */
export async function retainFeedback(
  db: Database,
  cutoffMs: number,
  maxBytes: number,
): Promise<RetainedFeedback> {
  const old = await db.deleteFrom('feedback').where('received_ms', '<', cutoffMs).executeTakeFirstOrThrow();
  const { rows } = await db
    .selectFrom('feedback')
    .select((row) => row.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow();
  const remaining = Math.min(rows, Math.floor(maxBytes / FEEDBACK_BYTES));
  const excess = await deleteOldest(db, rows - remaining, true);
  const early = excess + (await deleteOldest(db, rows - remaining - excess, false));
  return { bytes: remaining * FEEDBACK_BYTES, deleted: Number(old.numDeletedRows) + early, early };
}

/** Deletes the oldest feedback: all, or only that above a share. @returns how much of it, at most `most`. */
async function deleteOldest(db: Database, most: number, isExcess: boolean): Promise<number> {
  let deleted = 0;
  while (deleted < most) {
    const { numDeletedRows } = await db
      .deleteFrom('feedback')
      .where('id', 'in', (query) =>
        query
          .selectFrom('feedback')
          .select('id')
          .$if(isExcess, (marked) => marked.where('is_excess', '=', sql.lit(1)))
          .orderBy('received_ms')
          .orderBy('id')
          .limit(Math.min(CHUNK, most - deleted)),
      )
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) break;
    deleted += Number(numDeletedRows);
    await setImmediate();
  }
  return deleted;
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
