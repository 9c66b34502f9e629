import { type Selectable, sql } from 'kysely';
import { runCompiled } from '../db/compiled-query.ts';
import type { Database, Flavor, StoreTransaction, StoreTables } from '../db/schema.ts';
import type { ErasureRule } from './erasure-rule.ts';

/**
 * Adds a rule. A concurrent ingest has either committed before it or reads it: on PostgreSQL the lock waits for the
 * transactions that are writing events, and blocks the next ones during this insert. The lock excludes itself, so that
 * rules become visible in the order of their ids, and a replica that reads on from its last rule misses none. SQLite has
 * one writer.
 *
 * store/erasure-rules/ stores the rules that all replicas share. It must never store the name of an erased person.
 */
export async function addRule(
  db: Database,
  flavor: Flavor,
  { atMs, kind, value: alone, salt, project }: Omit<ErasureRule, 'id'>,
): Promise<ErasureRule> {
  // Behind the value: by an earlier version, which knows no projects, the rule then matches nothing instead of all of them.
  const value = project === null ? alone : `${alone} ${project}`;
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

/** Returns the rules that can match data received at or after a time, oldest first. */
export async function rulesAfter(
  db: Database | StoreTransaction,
  receivedMs: number,
): Promise<readonly ErasureRule[]> {
  const { rows } = await runCompiled(db, 'erasures', [receivedMs], () =>
    db.selectFrom('erasure').selectAll().where('at_ms', '>', receivedMs).orderBy('id'),
  );
  return rows.map(ruleOf);
}

/** Returns the rules added after one, oldest first. */
export async function rulesSince(db: Database, id: number): Promise<readonly ErasureRule[]> {
  const rows = await db.selectFrom('erasure').selectAll().where('id', '>', id).orderBy('id').execute();
  return rows.map(ruleOf);
}

/** Returns the rules from before a time whose rows were not all deleted, because their process died. */
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

/** Marks a rule whose rows were all deleted. */
export async function finishRule(db: Database, id: number, nowMs: number): Promise<void> {
  await db.updateTable('erasure').set({ finished_ms: nowMs }).where('id', '=', id).execute();
}

/** Deletes finished rules from before a time. */
export async function deleteRules(db: Database, beforeMs: number): Promise<void> {
  await db.deleteFrom('erasure').where('at_ms', '<', beforeMs).where('finished_ms', 'is not', null).execute();
}

/** Selects the id of the only project of a rule. */
export function projectOf(db: Database, project: string | null) {
  return db
    .selectFrom('project')
    .select('project.id')
    .where('project.dsn', '=', project ?? '');
}

function ruleOf({
  id,
  at_ms: atMs,
  kind,
  value: stored,
  salt,
}: Selectable<StoreTables['erasure']>): ErasureRule {
  const [value = '', project = null] = stored.split(' ');
  return { id, atMs, kind, value, salt, project };
}
