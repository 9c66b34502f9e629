import type { Flavor, StoreTransaction } from '../db/schema.ts';

/**
 * Calls a minute, of all replicas together: as many messages as a person still reads, and far below what chat services
 * take from one webhook (Slack: one a second). What there is more goes into one call that sums it up.
 */
const MAX_CALLS_A_MINUTE = 20;

/** Holds the minute and the calls made in it, in one number: minute × 1,000 + calls. */
const COUNTER = 'webhook_minute';
const FACTOR = 1_000;
const MINUTE_MS = 60_000;

/** How many more calls this minute takes. Other replicas wait for the transaction's end. */
export async function callsLeft(trx: StoreTransaction, flavor: Flavor, nowMs: number): Promise<number> {
  await trx
    .insertInto('counter')
    .values({ name: COUNTER, value: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { value } = await trx
    .selectFrom('counter')
    .select('value')
    .where('name', '=', COUNTER)
    .$if(flavor === 'postgres', (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  const used = Math.floor(value / FACTOR) === minuteOf(nowMs) ? value % FACTOR : 0;
  return Math.max(0, MAX_CALLS_A_MINUTE - used);
}

/** @param left of {@link callsLeft}, less those that are made now. */
export async function saveCallsLeft(trx: StoreTransaction, left: number, nowMs: number): Promise<void> {
  await trx
    .updateTable('counter')
    .set({ value: minuteOf(nowMs) * FACTOR + MAX_CALLS_A_MINUTE - left })
    .where('name', '=', COUNTER)
    .execute();
}

function minuteOf(nowMs: number): number {
  return Math.floor(nowMs / MINUTE_MS);
}
