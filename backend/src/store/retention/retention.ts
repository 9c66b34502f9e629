import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { DAY_MS } from '../../time/iso.ts';
import { countDeleted } from '../db/counters.ts';
import { retainFacts } from './retain-facts.ts';
import { adoptMissed, retainFeedback } from './retain-feedback.ts';
import { bytesOfIssues, pruneIssues } from './retain-issues.ts';
import { whileAlone } from './retention-lock.ts';
import type { Database, Flavor } from '../db/schema.ts';

/** How many rows retention took away. */
export interface Retained {
  readonly events: number;
  readonly bytes: number;
  readonly issues: number;
}

/** What retention keeps. */
export interface RetentionLimits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** Rows of one transaction: a look-up that comes meanwhile waits for it, 10–30 ms with a million events. */
const CHUNK = 100;
/** The longest histogram that is planned is of 28 days. */
const HOURS_KEPT_MS = 35 * DAY_MS;

/**
 * Of `maxBytes`, what issues and feedback may take before the oldest go; events have the rest. An issue whose events are
 * gone is what old screenshots are found by: it makes room only for other issues.
 */
const ISSUES_SHARE = 1 / 4;
const FEEDBACK_SHARE = 1 / 8;

/**
 * Deletes what is older than the limit, then the oldest until the rest fits. Issues and their counters stay for as long
 * as there is room for them, so that a digest is found when its last event is long gone; single hours go after five weeks.
 */
export async function retain(
  database: { readonly db: Database; readonly flavor: Flavor },
  limits: RetentionLimits,
  nowMs: number,
): Promise<Retained> {
  const retained = await whileAlone(database, () => retainAlone(database, limits, nowMs));
  return retained ?? { events: 0, bytes: 0, issues: 0 };
}

async function retainAlone(
  { db, flavor }: { readonly db: Database; readonly flavor: Flavor },
  { maxAgeMs, maxBytes }: RetentionLimits,
  nowMs: number,
): Promise<Retained> {
  const cutoffMs = nowMs - maxAgeMs;
  const old = await dropOldest(db, cutoffMs, Infinity);
  await adoptMissed(db, flavor);
  const taken =
    (await retainFeedback(db, cutoffMs, maxBytes * FEEDBACK_SHARE)) +
    (await bytesOfIssues(db)) +
    (await bytesOfEvents(db));
  // Before issues: to take a text out of SQLite's index needs pages first, and the file may have none left.
  const excess = await dropOldest(db, Infinity, Math.max(0, taken - maxBytes));
  const issues = await pruneIssues(db, flavor, maxBytes * ISSUES_SHARE);
  await db
    .deleteFrom('issue_hour')
    .where('hour_ms', '<', nowMs - HOURS_KEPT_MS)
    .execute();
  await retainFacts(db, cutoffMs);
  await db.deleteFrom('session').where('last_seen_ms', '<', cutoffMs).execute();
  return {
    events: old.events + excess.events,
    bytes: old.bytes + excess.bytes,
    issues,
  };
}

async function bytesOfEvents(db: Database): Promise<number> {
  const { bytes } = await db
    .selectFrom('event')
    .select((row) => row.fn.coalesce(row.fn.sum<number>('bytes'), sql<number>`0`).as('bytes'))
    .executeTakeFirstOrThrow();
  return bytes;
}

/** Deletes events received before `beforeMs`, oldest first, until `enoughBytes` are gone. */
async function dropOldest(
  db: Database,
  beforeMs: number,
  enoughBytes: number,
): Promise<Omit<Retained, 'issues'>> {
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
