import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { DAY_MS, HOUR_MS, hourOf } from '../../time/iso.ts';
import { countDeleted } from '../db/counters.ts';
import { FACTS_SHARE, FEEDBACK_SHARE, ISSUES_SHARE, occupiedBytes } from '../db/occupied-bytes.ts';
import { bytesOfFacts, pruneFacts, retainFacts, sumOf } from './retain-facts.ts';
import { adoptMissed, retainFeedback, type RetainedFeedback } from './retain-feedback.ts';
import { bytesOfIssues, pruneIssues } from './retain-issues.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database } from '../db/schema.ts';

/** Number of deleted rows. */
export interface Retained {
  readonly events: number;
  readonly bytes: number;
  readonly issues: number;
  readonly feedback: number;
  /** The events and feedback among them that had not reached the maximum age. */
  readonly early: number;
}

export function hasDeleted({ events, issues, feedback }: Retained): boolean {
  return events + issues + feedback > 0;
}

type DroppedEvents = Pick<Retained, 'events' | 'bytes'>;

const NO_EVENTS: DroppedEvents = { events: 0, bytes: 0 };
const NO_FEEDBACK: RetainedFeedback = { bytes: 0, deleted: 0, early: 0 };

/** Limits of the stored data. */
export interface RetentionLimits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
  /** Share of the present data that stays at most, 0 to 1; all without it. */
  readonly maxShare?: number;
}

/** Rows of one transaction: a concurrent read waits for it, 10–30 ms with a million events. */
const CHUNK = 100;
/** Age at which hours of histograms and of the trend are deleted: the longest histogram shows 28 days. */
const HOURS_MAX_AGE_MS = 35 * DAY_MS;

/**
 * Deletes rows older than the limit, then the oldest until the rest fits. Issues and their counters stay while they fit
 * their share, so that a digest is found long after its last event; hours of histograms are deleted after five weeks.
 *
 * store/retention/ limits age and size of the stored data. It must never delete an issue with events, feedback, notes or
 * a status.
 *
 * @param onEarly receives the number of events and feedback that had not reached the maximum age, also where a later step
 * fails.
 * @throws the first error, after all other steps have run: a step that fails each time must not stop the others for ever.
 */
export async function retain(
  database: Pick<QueryContext, 'db' | 'flavor'>,
  limits: RetentionLimits,
  nowMs: number,
  onEarly: (rows: number) => void,
): Promise<Retained> {
  const retained = await whileAlone(database, () => retainAlone(database, limits, nowMs, onEarly));
  return retained ?? { ...NO_EVENTS, issues: 0, feedback: 0, early: 0 };
}

async function retainAlone(
  database: Pick<QueryContext, 'db' | 'flavor'>,
  limits: RetentionLimits,
  nowMs: number,
  onEarly: (rows: number) => void,
): Promise<Retained> {
  const { db, flavor } = database;
  const { maxAgeMs, maxBytes, maxShare } = limits;
  const enoughBytes = maxShare === undefined ? maxBytes : maxShare * (await occupiedBytes(database));
  const cutoffMs = nowMs - maxAgeMs;
  const failures: unknown[] = [];
  const step = <Result>(work: Promise<Result>, otherwise: Result): Promise<Result> =>
    work.catch((error: unknown) => {
      failures.push(error);
      return otherwise;
    });
  const old = await step(dropOldest(db, { beforeMs: cutoffMs }, Infinity), NO_EVENTS);
  await step(adoptMissed(db, flavor), undefined);
  const feedback = await step(retainFeedback(db, cutoffMs, maxBytes * FEEDBACK_SHARE), NO_FEEDBACK);
  // Before issues: removing a text from SQLite's index needs free pages first, and the file may have none left.
  const excess = await step(dropExcess(database, limits, enoughBytes, feedback.bytes), NO_EVENTS);
  const early = excess.events + feedback.early;
  onEarly(early);
  const issues = await step(pruneIssues(db, flavor, maxBytes * ISSUES_SHARE), 0);
  for (const hours of ['issue_hour', 'project_hour'] as const)
    await step(dropHours(db, hours, nowMs - HOURS_MAX_AGE_MS), undefined);
  await step(retainFacts(db, cutoffMs), undefined);
  if (failures.length > 0) throw failures[0];
  const [events, bytes] = [old.events + excess.events, old.bytes + excess.bytes];
  return { events, bytes, issues, feedback: feedback.deleted, early };
}

/**
 * Deletes facts above their share, then events until all data fits: the oldest above the share of their sender networks,
 * then the oldest of all. Rows are counted only where the size of the database is above a limit: the sum of all events
 * reads an index of gigabytes.
 *
 * @param enoughBytes that limit: a flood of feedback that filled the file costs no events, once it is deleted.
 */
async function dropExcess(
  database: Pick<QueryContext, 'db' | 'flavor'>,
  { maxBytes, maxShare = 1 }: RetentionLimits,
  enoughBytes: number,
  feedbackBytes: number,
): Promise<DroppedEvents> {
  const { db, flavor } = database;
  const occupied = await occupiedBytes(database);
  if (occupied <= enoughBytes) return NO_EVENTS;
  const facts = await bytesOfFacts(db);
  const bytes = feedbackBytes + (await bytesOfIssues(db)) + sumOf(facts) + (await bytesOfEvents(db));
  // The sum is an estimate, up to 1.4 times the real size: by it alone, a page too much would cost 28 % of the data.
  const most = flavor === 'sqlite' && maxShare === 1 ? occupied - maxBytes : Infinity;
  const excessBytes = Math.min(bytes - Math.min(maxBytes, bytes * maxShare), most);
  const factBytes = await pruneFacts(db, facts, maxBytes * FACTS_SHARE);
  const first = await dropOldest(db, { isExcess: true }, excessBytes - factBytes);
  const second = await dropOldest(db, {}, excessBytes - factBytes - first.bytes);
  return { events: first.events + second.events, bytes: first.bytes + second.bytes };
}

/**
 * Adds up the bytes of events hour by hour, and lets other requests run in between. PostgreSQL needs 0.1 to 0.35 s for a
 * million events: one statement for all of them would exceed its timeout from 30 million on, at each retention.
 */
async function bytesOfEvents(db: Database): Promise<number> {
  let bytes = 0;
  let fromMs = 0;
  for (;;) {
    const next = await db
      .selectFrom('event')
      .select('received_ms')
      .where('received_ms', '>=', fromMs)
      .orderBy('received_ms')
      .limit(1)
      .executeTakeFirst();
    if (next === undefined) return bytes;
    fromMs = hourOf(next.received_ms) + HOUR_MS;
    const hour = await db
      .selectFrom('event')
      .select((row) => row.fn.sum<number>('bytes').as('bytes'))
      .where('received_ms', '>=', next.received_ms)
      .where('received_ms', '<', fromMs)
      .executeTakeFirstOrThrow();
    bytes += hour.bytes;
    await setImmediate();
  }
}

async function dropHours(
  db: Database,
  hours: 'issue_hour' | 'project_hour',
  beforeMs: number,
): Promise<void> {
  await db.deleteFrom(hours).where('hour_ms', '<', beforeMs).execute();
}

/** Deletes events, oldest first, until `enoughBytes` are gone: those received before a time, those above a share, or all. */
async function dropOldest(
  db: Database,
  { beforeMs = Infinity, isExcess = false }: { readonly beforeMs?: number; readonly isExcess?: boolean },
  enoughBytes: number,
): Promise<DroppedEvents> {
  let events = 0;
  let bytes = 0;
  while (bytes < enoughBytes) {
    const oldest = await db
      .selectFrom('event')
      .select(['id', 'bytes'])
      .$if(Number.isFinite(beforeMs), (query) => query.where('received_ms', '<', beforeMs))
      .$if(isExcess, (query) => query.where('is_excess', '=', sql.lit(1)))
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
    // The embedded database is synchronous: without this no other request runs.
    await setImmediate();
  }
  return { events, bytes };
}

/** Deletes events and counts them in one transaction. */
function deleteEvents(db: Database, ids: readonly number[]): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { numDeletedRows } = await trx.deleteFrom('event').where('id', 'in', ids).executeTakeFirstOrThrow();
    await trx.deleteFrom('event_ids').where('event', 'in', ids).execute();
    await countDeleted(trx, Number(numDeletedRows));
    return Number(numDeletedRows);
  });
}

/** Returns the first rows whose bytes reach a sum. */
function takeUntil<Sized extends { readonly bytes: number }>(
  rows: readonly Sized[],
  enoughBytes: number,
): readonly Sized[] {
  let bytes = 0;
  const end = rows.findIndex((row) => {
    bytes += row.bytes;
    return bytes >= enoughBytes;
  });
  return end === -1 ? rows : rows.slice(0, end + 1);
}

/** `errata` in ASCII: an advisory lock that other users of the database are unlikely to use. */
const RETENTION_LOCK = 0x65_72_72_61_74_61;

/**
 * Does the work unless another replica is doing it: both would see the same rows, and each would delete the excess. The
 * lock ends with its transaction, also behind a pooler and when the process dies. SQLite has one process.
 *
 * @returns null where another replica does the work.
 */
function whileAlone<Result>(
  { db, flavor }: Pick<QueryContext, 'db' | 'flavor'>,
  work: () => Promise<Result>,
): Promise<Result | null> {
  if (flavor === 'sqlite') return work();
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ readonly locked: boolean }>`
      select pg_try_advisory_xact_lock(${RETENTION_LOCK}) as locked
    `.execute(trx);
    return rows[0]?.locked === true ? work() : null;
  });
}
