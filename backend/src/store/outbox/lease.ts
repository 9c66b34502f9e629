import type { QueryContext } from '../db/query-context.ts';
import type { Database, StoreTransaction } from '../db/schema.ts';
import { addToCounter } from '../db/counters.ts';
import { DAY_MS } from '../../time/iso.ts';
import { type DeliveryRow, renderBodies } from './render.ts';
import { summarise } from './summary.ts';

/** A delivery to be sent now. No other process claims it before its lease ends. */
interface LeasedDelivery {
  /** Id of the row. */
  readonly id: number;
  /** Id for the receiver: the same at each attempt. */
  readonly deliveryId: string;
  /** JSON of a WebhookBody. */
  readonly body: string;
  /** Number of attempts, including this one. */
  readonly attempts: number;
}

export interface ClaimedDeliveries {
  readonly deliveries: readonly LeasedDelivery[];
  /** Deliveries that expired. */
  readonly dropped: number;
}

/**
 * Length of a lease: longer than the slowest round of deliveries, each with its time limit. When a process dies in
 * between, the delivery is sent twice with the same delivery id.
 */
const LEASE_MS = 2 * 60_000;
/** A delivery that failed for a day is dropped: the console shows its issue. */
const MAX_AGE_MS = DAY_MS;
const DROPPED = 'webhook_dropped';

/**
 * Deliveries a minute of all replicas together: as many messages as a person reads, and far below the limits of chat
 * services for one webhook (Slack: one a second). Further ones go into one summary.
 */
const MAX_PER_MINUTE = 20;
/** Counters of the rate limit: the number of the minute of the last claim, and the deliveries in that minute. */
const RATE_MINUTE = 'webhook_rate_minute';
const RATE_DELIVERIES = 'webhook_rate_deliveries';
const MINUTE_MS = 60_000;

/**
 * Leases the deliveries that are due, those of confirmed issues first, then the oldest, up to the rate limit; the last of
 * them summarises the rest of its kind. A flood of forged issues then delays the alert of a server by a minute at most, and
 * never takes it into its summary. Claims nothing while an erasure runs: a title may quote an erased event until the erasure
 * has rebuilt it.
 */
export async function claimDeliveries(
  { db, now }: QueryContext,
  publicUrl: string | null,
): Promise<ClaimedDeliveries> {
  const nowMs = now();
  if (!(await isAnyDue(db, nowMs))) return { deliveries: [], dropped: 0 };
  return db.transaction().execute(async (trx) => {
    const left = await deliveriesLeft(trx, nowMs);
    const dropped = await dropExpired(trx, nowMs);
    const rows = left === 0 || (await isErasing(trx)) ? [] : await leaseDue(trx, left, nowMs);
    await saveDeliveriesLeft(trx, left - rows.length, nowMs);
    const bodies = await renderBodies(trx, rows, publicUrl);
    const deliveries = rows.flatMap(({ id, delivery_id: deliveryId, attempts }) => {
      const body = bodies.get(id);
      return body === undefined ? [] : [{ id, deliveryId, body, attempts }];
    });
    return { deliveries, dropped };
  });
}

/** Removes an accepted delivery, or sets the time of its next attempt. */
export async function settleDelivery(
  { db }: QueryContext,
  id: number,
  retryAtMs: number | null,
): Promise<void> {
  if (retryAtMs === null) await db.deleteFrom('webhook_delivery').where('id', '=', id).execute();
  else await db.updateTable('webhook_delivery').set({ due_ms: retryAtMs }).where('id', '=', id).execute();
}

/** Runs outside of a transaction: it is called every few seconds, and nearly always no delivery is due. */
async function isAnyDue(db: Database, nowMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_delivery')
    .select('id')
    .where('due_ms', '<=', nowMs)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function isErasing(trx: StoreTransaction): Promise<boolean> {
  const rule = await trx
    .selectFrom('erasure')
    .select('id')
    .where('finished_ms', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return rule !== undefined;
}

async function leaseDue(trx: StoreTransaction, left: number, nowMs: number): Promise<readonly DeliveryRow[]> {
  const due = await trx
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('due_ms', '<=', nowMs)
    .orderBy('is_confirmed', 'desc')
    .orderBy('id')
    .limit(left + 1)
    .execute();
  const [last, next] = due.slice(left - 1);
  const isSummary = next !== undefined && last?.is_confirmed === next.is_confirmed;
  const single = due.slice(0, isSummary ? left - 1 : left);
  const ids = single.map(({ id }) => id);
  if (ids.length > 0) {
    await trx
      .updateTable('webhook_delivery')
      .set((row) => ({ due_ms: nowMs + LEASE_MS, attempts: row('attempts', '+', 1) }))
      .where('id', 'in', ids)
      .execute();
  }
  const leased = single.map((row) => ({ ...row, attempts: row.attempts + 1 }));
  if (!isSummary) return leased;
  const kind = next.is_confirmed;
  const afterId = single.findLast((row) => row.is_confirmed === kind)?.id ?? 0;
  return [...leased, await summarise(trx, { kind, afterId, nowMs, leasedUntilMs: nowMs + LEASE_MS })];
}

/** Deletes the deliveries that failed for a day, or that were left from before the webhook was switched off. */
async function dropExpired(trx: StoreTransaction, nowMs: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('webhook_delivery')
    .where('due_ms', '<=', nowMs)
    .where('created_ms', '<=', nowMs - MAX_AGE_MS)
    .executeTakeFirstOrThrow();
  const dropped = Number(numDeletedRows);
  await addToCounter(trx, DROPPED, dropped);
  return dropped;
}

/** Returns how many deliveries this minute has left. Other replicas wait here until the transaction ends. */
async function deliveriesLeft(trx: StoreTransaction, nowMs: number): Promise<number> {
  // An upsert that changes no value: PostgreSQL locks the rows by it, also where another replica has just made them.
  const counters = await trx
    .insertInto('counter')
    .values([
      { name: RATE_MINUTE, value: 0 },
      { name: RATE_DELIVERIES, value: 0 },
    ])
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((row) => ({ value: row.ref('counter.value') })),
    )
    .returningAll()
    .execute();
  const valueOf = new Map(counters.map(({ name, value }) => [name, value]));
  const isSameMinute = valueOf.get(RATE_MINUTE) === minuteOf(nowMs);
  const used = isSameMinute ? (valueOf.get(RATE_DELIVERIES) ?? 0) : 0;
  return Math.max(0, MAX_PER_MINUTE - used);
}

async function saveDeliveriesLeft(trx: StoreTransaction, left: number, nowMs: number): Promise<void> {
  await setCounter(trx, RATE_MINUTE, minuteOf(nowMs));
  await setCounter(trx, RATE_DELIVERIES, MAX_PER_MINUTE - left);
}

async function setCounter(trx: StoreTransaction, name: string, value: number): Promise<void> {
  await trx.updateTable('counter').set({ value }).where('name', '=', name).execute();
}

function minuteOf(nowMs: number): number {
  return Math.floor(nowMs / MINUTE_MS);
}
