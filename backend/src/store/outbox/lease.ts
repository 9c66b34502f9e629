import { sql } from 'kysely';
import type { QueuedBody } from '../../contract/webhook-api.ts';
import type { QueryContext } from '../db/query-context.ts';
import type { Database, StoreTransaction } from '../db/schema.ts';
import { DAY_MS } from '../../time/iso.ts';
import type { AlertOptions } from './enqueue.ts';
import { type AlertRow, renderBodies } from './render.ts';
import { summarise } from './summary.ts';
import type { AlertTarget } from './targets.ts';

/** An alert to be sent now. No other process claims it before its lease ends. */
interface LeasedAlert {
  /** Id of the row. */
  readonly id: number;
  /** Id for the receiver: the same at each attempt. */
  readonly deliveryId: string;
  readonly body: QueuedBody;
  /** Number of attempts, including this one. */
  readonly attempts: number;
}

export interface ClaimedAlerts {
  readonly alerts: readonly LeasedAlert[];
  /** Messages that expired. */
  readonly dropped: number;
}

/** When to try a message again, and the code of its failure. */
interface Retry {
  readonly atMs: number;
  readonly reason: string;
}

/**
 * Length of a lease: longer than the slowest round of messages, each with its time limit. When a process dies in
 * between, the message is sent twice with the same delivery id.
 */
const LEASE_MS = 2 * 60_000;
/** An alert that failed for a day is dropped: the console shows its issue. */
const MAX_AGE_MS = DAY_MS;
/** Messages are kept for this time: an operator looks up when a target got its last one, and since when it fails. */
const KEPT_MS = 7 * DAY_MS;
/** First key of the lock of a target in PostgreSQL. */
const LOCK = 535_300;
const NOTHING: ClaimedAlerts = { alerts: [], dropped: 0 };

/**
 * Leases the alerts of a target that are due, those of confirmed issues first, then the oldest, up to its limit; the last of
 * them summarises the rest of its kind. A flood of forged issues then delays the alert of a server by the time of the limit at
 * most, and never takes it into its summary. Claims nothing while another process claims for the target, or while an erasure
 * runs: a title may quote an erased event until the erasure has rebuilt it.
 */
export async function claimAlerts(
  { db, now, flavor }: QueryContext,
  targetId: string,
  options: AlertOptions | undefined,
): Promise<ClaimedAlerts> {
  const nowMs = now();
  const target = options?.targets.find(({ id }) => id === targetId);
  if (options === undefined || target === undefined || !(await isAnyDue(db, targetId, nowMs))) return NOTHING;
  return db.transaction().execute(async (trx) => {
    if (flavor === 'postgres' && !(await locks(trx, targetId))) return NOTHING;
    const dropped = await dropExpired(trx, targetId, nowMs);
    const left = target.max - (await triedSince(trx, targetId, { perMs: target.perMs, nowMs }));
    const rows = left <= 0 || (await isErasing(trx)) ? [] : await leaseDue(trx, target, left, nowMs);
    const bodies = await renderBodies(trx, rows, options.publicUrl);
    const alerts = rows.flatMap(({ id, delivery_id: deliveryId, attempts }) => {
      const body = bodies.get(id);
      return body === undefined ? [] : [{ id, deliveryId, body, attempts }];
    });
    return { alerts, dropped };
  });
}

/**
 * Records when a message is tried again, or that it was accepted. That deletes the summarised ones, and the failed ones of the target
 * are due: their pauses, of up to an hour, were for a target that was away.
 */
export async function settleAlert({ db, now }: QueryContext, id: number, retry: Retry | null): Promise<void> {
  const nowMs = now();
  const settled =
    retry === null
      ? { due_ms: null, sent_ms: nowMs, reason: null }
      : { due_ms: retry.atMs, reason: retry.reason };
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('alert').set(settled).where('id', '=', id).execute();
    if (retry !== null) return;
    await trx.deleteFrom('alert').where('summary_id', '=', id).execute();
    await trx
      .updateTable('alert')
      .set({ due_ms: nowMs })
      .where('target', '=', trx.selectFrom('alert').select('target').where('id', '=', id))
      .where('due_ms', '>', nowMs)
      // Not those that are leased.
      .where('due_ms', '<>', (row) => row('tried_ms', '+', LEASE_MS))
      .execute();
  });
}

/** Deletes the rows of targets that have left the settings. Returns how many unsent messages are lost by that. */
export async function dropOtherTargets(
  { db }: QueryContext,
  options: AlertOptions | undefined,
): Promise<number> {
  // PostgreSQL knows no empty list.
  const ids = ['', ...(options?.targets.map(({ id }) => id) ?? [])];
  return db.transaction().execute(async (trx) => {
    const unsent = await trx
      .deleteFrom('alert')
      .where('target', 'not in', ids)
      .where('due_ms', 'is not', null)
      .executeTakeFirstOrThrow();
    await trx.deleteFrom('alert').where('target', 'not in', ids).execute();
    return Number(unsent.numDeletedRows);
  });
}

/** Runs outside of a transaction: it is called every few seconds, and nearly always no alert is due. */
async function isAnyDue(db: Database, target: string, nowMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('alert')
    .select('id')
    .where('target', '=', target)
    .where('due_ms', '<=', nowMs)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes the lock of a target until the end of the transaction; false where another process has it. SQLite has one writer. */
async function locks(trx: StoreTransaction, target: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${LOCK}, hashtext(${target})) as locked
  `.execute(trx);
  return rows[0]?.locked === true;
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

/** Returns how many messages of all processes a target has been sent in the time before. */
async function triedSince(
  trx: StoreTransaction,
  target: string,
  { perMs, nowMs }: { readonly perMs: number; readonly nowMs: number },
): Promise<number> {
  const { tried } = await trx
    .selectFrom('alert')
    .select((row) => row.fn.countAll<number>().as('tried'))
    .where('target', '=', target)
    .where('tried_ms', '>', nowMs - perMs)
    // After a step of the clock those of the future would use up the limit until it has come.
    .where('tried_ms', '<=', nowMs)
    .executeTakeFirstOrThrow();
  return tried;
}

async function leaseDue(
  trx: StoreTransaction,
  { id: target }: AlertTarget,
  left: number,
  nowMs: number,
): Promise<readonly AlertRow[]> {
  const due = await trx
    .selectFrom('alert')
    .selectAll()
    .where('target', '=', target)
    .where('due_ms', '<=', nowMs)
    .orderBy('is_confirmed', 'desc')
    .orderBy('id')
    .limit(left + 1)
    .execute();
  const [last, next] = due.slice(left - 1);
  const isSummary = next !== undefined && last?.is_confirmed === next.is_confirmed;
  const rows = due.slice(0, isSummary ? left - 1 : left);
  if (isSummary) {
    const kind = next.is_confirmed;
    const afterId = rows.findLast((row) => row.is_confirmed === kind)?.id ?? 0;
    rows.push(await summarise(trx, { target, kind, afterId, nowMs }));
  }
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) {
    await trx
      .updateTable('alert')
      .set((row) => ({ due_ms: nowMs + LEASE_MS, tried_ms: nowMs, attempts: row('attempts', '+', 1) }))
      .where('id', 'in', ids)
      .execute();
  }
  return rows.map((row) => ({ ...row, attempts: row.attempts + 1 }));
}

/**
 * Gives up the messages that failed for a day, with those behind them. Their rows stay for a week, as those of sent ones: the
 * console says that a target fails until it accepts a message.
 */
async function dropExpired(trx: StoreTransaction, target: string, nowMs: number): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('alert')
    .set((row) => ({ due_ms: null, tried_ms: row.fn.coalesce('tried_ms', 'created_ms') }))
    .where('target', '=', target)
    .where('due_ms', '<=', nowMs)
    .where('created_ms', '<=', nowMs - MAX_AGE_MS)
    .executeTakeFirstOrThrow();
  const ended = trx.selectFrom('alert').where('target', '=', target).where('due_ms', 'is', null);
  const summaries = ended.where('event', '=', 'issues.summary').where('sent_ms', 'is', null);
  if (numUpdatedRows > 0n)
    await trx.deleteFrom('alert').where('summary_id', 'in', summaries.select('id')).execute();
  const old = ended.where('summary_id', 'is', null).where('tried_ms', '<=', nowMs - KEPT_MS);
  await trx.deleteFrom('alert').where('id', 'in', old.select('id')).execute();
  return Number(numUpdatedRows);
}
