import type { Database, Flavor, StoreTransaction } from '../db/schema.ts';
import { DAY_MS } from '../../time/iso.ts';
import { callsLeft, saveCallsLeft } from './call-rate.ts';
import { summariseCalls } from './summary.ts';

/** A call to be made now. Nobody else makes it before the lease is over. */
interface ClaimedCall {
  readonly id: number;
  /** JSON of a WebhookBody. */
  readonly body: string;
  /** This one included. */
  readonly tries: number;
}

export interface Claim {
  readonly calls: readonly ClaimedCall[];
  /** How many were given up. */
  readonly dropped: number;
}

/**
 * How long a claimed call is left alone: longer than a round of calls takes at worst, each with its time limit. A process
 * that dies in between makes the call come twice; its id tells.
 */
const LEASE_MS = 2 * 60_000;
/** An issue that nobody could be told of for a day is in the console; on-call has come and gone. */
const GIVE_UP_MS = DAY_MS;
const DROPPED = 'webhook_dropped';

/** Takes the calls that are due, oldest first, as many as a minute takes; the last of them sums up the rest. */
export async function claimCalls(
  db: Database,
  flavor: Flavor,
  publicUrl: string | null,
  nowMs: number,
): Promise<Claim> {
  if (!(await isAnyDue(db, nowMs))) return { calls: [], dropped: 0 };
  return db.transaction().execute(async (trx) => {
    const left = await callsLeft(trx, flavor, nowMs);
    const dropped = await dropOld(trx, nowMs);
    const calls = left === 0 ? [] : await takeDue(trx, left, publicUrl, nowMs);
    await saveCallsLeft(trx, left - calls.length, nowMs);
    return { calls, dropped };
  });
}

async function takeDue(
  trx: StoreTransaction,
  left: number,
  publicUrl: string | null,
  nowMs: number,
): Promise<readonly ClaimedCall[]> {
  const due = await trx
    .selectFrom('webhook_call')
    .select(['id', 'body', 'tries'])
    .where('next_ms', '<=', nowMs)
    .orderBy('id')
    .limit(left + 1)
    .execute();
  const single = due.length > left ? due.slice(0, left - 1) : due;
  await lease(
    trx,
    single.map(({ id }) => id),
    nowMs,
  );
  const calls = single.map(({ id, body, tries }) => ({ id, body, tries: tries + 1 }));
  if (due.length === single.length) return calls;
  const rest = { afterId: single.at(-1)?.id ?? 0, nowMs };
  return [...calls, await insertSummary(trx, await summariseCalls(trx, rest, publicUrl), nowMs)];
}

/** Outside of a transaction: it is asked every few seconds, and nearly always there is nothing. */
async function isAnyDue(db: Database, nowMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_call')
    .select('id')
    .where('next_ms', '<=', nowMs)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function lease(trx: StoreTransaction, ids: readonly number[], nowMs: number): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('webhook_call')
    .set((row) => ({ next_ms: nowMs + LEASE_MS, tries: row('tries', '+', 1) }))
    .where('id', 'in', ids)
    .execute();
}

async function insertSummary(trx: StoreTransaction, body: string, nowMs: number): Promise<ClaimedCall> {
  const { id } = await trx
    .insertInto('webhook_call')
    .values({ kind: 'issues.summary', body, made_ms: nowMs, next_ms: nowMs + LEASE_MS, tries: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, body, tries: 1 };
}

/** It is made again at `againMs`; null: it was taken. */
export async function settleCall(db: Database, id: number, againMs: number | null): Promise<void> {
  if (againMs === null) await db.deleteFrom('webhook_call').where('id', '=', id).execute();
  else await db.updateTable('webhook_call').set({ next_ms: againMs }).where('id', '=', id).execute();
}

/** Those that nobody took in all that time, or that were left from before the webhook was switched off. */
async function dropOld(trx: StoreTransaction, nowMs: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('webhook_call')
    .where('next_ms', '<=', nowMs)
    .where('made_ms', '<=', nowMs - GIVE_UP_MS)
    .executeTakeFirstOrThrow();
  const dropped = Number(numDeletedRows);
  if (dropped === 0) return 0;
  await trx
    .insertInto('counter')
    .values({ name: DROPPED, value: dropped })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((row) => ({
        value: row('counter.value', '+', row.ref('excluded.value')),
      })),
    )
    .execute();
  return dropped;
}
