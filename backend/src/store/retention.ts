import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { countDeleted } from './counters.ts';
import { retainFacts } from './retain-facts.ts';
import type { Database } from './schema.ts';

/** How many rows retention took away. */
export interface Retained {
  readonly events: number;
  readonly bytes: number;
}

/** What retention keeps. */
export interface RetentionLimits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** Rows of one transaction: a look-up that comes meanwhile waits for it, 10–30 ms with a million events. */
const CHUNK = 100;
/** The longest histogram that is planned is of 28 days. */
const HOURS_KEPT_MS = 35 * 24 * 60 * 60 * 1000;

/**
 * Deletes what is older than the limit, then the oldest until the rest fits. Issues and their counters stay, so
 * that a digest is found when its last event is long gone; single hours go after five weeks.
 */
export async function retain(db: Database, limits: RetentionLimits, nowMs: number): Promise<Retained> {
  const cutoffMs = nowMs - limits.maxAgeMs;
  const old = await dropOldest(db, cutoffMs, Infinity);
  const { bytes } = await db
    .selectFrom('event')
    .select((row) => row.fn.coalesce(row.fn.sum<number>('bytes'), sql<number>`0`).as('bytes'))
    .executeTakeFirstOrThrow();
  const excess = await dropOldest(db, Infinity, Math.max(0, bytes - limits.maxBytes));
  await db.deleteFrom('feedback').where('received_ms', '<', cutoffMs).execute();
  await db
    .deleteFrom('issue_hour')
    .where('hour_ms', '<', nowMs - HOURS_KEPT_MS)
    .execute();
  await retainFacts(db, cutoffMs);
  await db.deleteFrom('session').where('last_seen_ms', '<', cutoffMs).execute();
  return { events: old.events + excess.events, bytes: old.bytes + excess.bytes };
}

/** Deletes events received before `beforeMs`, oldest first, until `enoughBytes` are gone. */
async function dropOldest(db: Database, beforeMs: number, enoughBytes: number): Promise<Retained> {
  let events = 0;
  let bytes = 0;
  while (bytes < enoughBytes) {
    const oldest = await db
      .selectFrom('event')
      .select(['id', 'bytes'])
      .$if(Number.isFinite(beforeMs), (query) => query.where('received_ms', '<', beforeMs))
      .orderBy('received_ms')
      .orderBy('id')
      .limit(CHUNK)
      .execute();
    const chosen = takeUntil(oldest, enoughBytes - bytes);
    if (chosen.length === 0) break;
    events += await deleteEvents(
      db,
      chosen.map(({ id }) => id),
    );
    bytes += chosen.reduce((sum, row) => sum + row.bytes, 0);
    // The embedded database is synchronous: without this no other request gets its turn.
    await setImmediate();
  }
  return { events, bytes };
}

/** Deletes events and counts them in one transaction. */
function deleteEvents(db: Database, ids: readonly number[]): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { numDeletedRows } = await trx.deleteFrom('event').where('id', 'in', ids).executeTakeFirstOrThrow();
    await countDeleted(trx, Number(numDeletedRows));
    return Number(numDeletedRows);
  });
}

function takeUntil<Row extends { readonly bytes: number }>(
  rows: readonly Row[],
  enoughBytes: number,
): readonly Row[] {
  let bytes = 0;
  const end = rows.findIndex((row) => {
    bytes += row.bytes;
    return bytes >= enoughBytes;
  });
  return end === -1 ? rows : rows.slice(0, end + 1);
}
