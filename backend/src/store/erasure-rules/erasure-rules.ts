import { type Selectable, sql } from 'kysely';
import { runCompiled } from '../db/compiled-query.ts';
import type { Database, Flavor, StoreTransaction, Tables } from '../db/schema.ts';
import type { ErasureRule } from './erasure-rule.ts';

/** The list of what is to be forgotten, shared by all replicas. */

/**
 * Adds a rule. Who ingests at the same time has committed before it, or sees it: on PostgreSQL the lock waits for the
 * transactions that write events now and holds up the next ones for the moment of this insert. It excludes itself, so
 * that rules are seen in the order of their ids: who reads on from the last one passes none over. SQLite has one writer.
 */
export async function addRule(
  db: Database,
  flavor: Flavor,
  { atMs, kind, value, salt }: Omit<ErasureRule, 'id'>,
): Promise<ErasureRule> {
  return db.transaction().execute(async (trx) => {
    if (flavor === 'postgres') {
      await sql`lock table event, feedback in share row exclusive mode`.execute(trx);
    }
    const row = await trx
      .insertInto('erasure')
      .values({ at_ms: atMs, kind, value, salt, finished_ms: null })
      .returningAll()
      .executeTakeFirstOrThrow();
    return ruleOf(row);
  });
}

/** Rules that may concern what came in at or after this time, oldest first. */
export async function rulesAfter(
  db: Database | StoreTransaction,
  receivedMs: number,
): Promise<readonly ErasureRule[]> {
  const { rows } = await runCompiled(db, 'erasures', [receivedMs], () =>
    db.selectFrom('erasure').selectAll().where('at_ms', '>', receivedMs).orderBy('id'),
  );
  return rows.map(ruleOf);
}

/** Rules added after this one, oldest first. */
export async function rulesSince(db: Database, id: number): Promise<readonly ErasureRule[]> {
  const rows = await db.selectFrom('erasure').selectAll().where('id', '>', id).orderBy('id').execute();
  return rows.map(ruleOf);
}

/** Rules whose rows are not all gone, though they were added before this time: the process that did it has died. */
export async function unfinishedRules(db: Database, beforeMs: number): Promise<readonly ErasureRule[]> {
  const rows = await db
    .selectFrom('erasure')
    .selectAll()
    .where('finished_ms', 'is', null)
    .where('at_ms', '<', beforeMs)
    .orderBy('id')
    .execute();
  return rows.map(ruleOf);
}

export async function finishRule(db: Database, id: number, nowMs: number): Promise<void> {
  await db.updateTable('erasure').set({ finished_ms: nowMs }).where('id', '=', id).execute();
}

/** Drops rules that nothing can come under any more. */
export async function deleteRules(db: Database, beforeMs: number): Promise<void> {
  await db.deleteFrom('erasure').where('at_ms', '<', beforeMs).where('finished_ms', 'is not', null).execute();
}

function ruleOf({ id, at_ms: atMs, kind, value, salt }: Selectable<Tables['erasure']>): ErasureRule {
  return { id, atMs, kind, value, salt };
}
