import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { countOfDeletedIssues } from '../db/counters.ts';
import type { Database, Flavor, StoreTransaction } from '../db/schema.ts';

/**
 * What an issue takes with its indexes, facts and the trigrams of its text: measured with the longest text, as whoever
 * makes them up can send it. With a short one it is 1,200.
 */
const ISSUE_BYTES = 3_400;
/** Issues looked at in one transaction: a look-up that comes meanwhile waits for it. */
const CHUNK = 100;

/** A place in the order in which issues go. */
interface Place {
  readonly last_seen_ms: number;
  readonly id: number;
}

/** What all issues take. */
export async function bytesOfIssues(db: Database): Promise<number> {
  const { issues } = await db
    .selectFrom('issue')
    .select((row) => row.fn.countAll<number>().as('issues'))
    .executeTakeFirstOrThrow();
  return issues * ISSUE_BYTES;
}

/**
 * Issues outlive their events, so that a digest is found for long; but whoever knows the DSN makes as many as they like,
 * by names that nobody has. Above `maxBytes` those go that were last seen longest ago, and of which nothing would be
 * missed: without events and feedback, that nobody has written about or set a status of. Their events stay counted.
 *
 * @returns how many went.
 */
export async function pruneIssues(db: Database, flavor: Flavor, maxBytes: number): Promise<number> {
  const excess = Math.ceil(((await bytesOfIssues(db)) - maxBytes) / ISSUE_BYTES);
  let removed = 0;
  let after: Place | undefined = { last_seen_ms: -1, id: 0 };
  while (after !== undefined && removed < excess) {
    const step = await prune(db, flavor, { after, most: excess - removed });
    removed += step.removed;
    after = step.next;
    // The embedded database is synchronous: without this no other request gets its turn.
    await setImmediate();
  }
  return removed;
}

/** One step. The newest stays: SQLite would give its id to the next one, which is then taken for it. */
function prune(
  db: Database,
  flavor: Flavor,
  { after, most }: { readonly after: Place; readonly most: number },
): Promise<{ readonly removed: number; readonly next: Place | undefined }> {
  return db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom('issue')
      .select(['id', 'last_seen_ms'])
      .where('status', '=', 'open')
      .where('id', '<', (query) =>
        query.selectFrom('issue as any').select((row) => row.fn.max('any.id').as('id')),
      )
      .where(sql<boolean>`(last_seen_ms, id) > (${after.last_seen_ms}, ${after.id})`)
      .orderBy('last_seen_ms')
      .orderBy('id')
      .limit(CHUNK)
      // Whoever writes to one now holds it. The next statement sees what was written before it was locked here.
      .$if(flavor === 'postgres', (query) => query.forUpdate().skipLocked())
      .execute();
    const ids = rows.map(({ id }) => id);
    const removed = ids.length === 0 ? 0 : await deleteEmpty(trx, ids, most);
    return { removed, next: rows.at(-1) };
  });
}

/** All else that is known of an issue goes with its row. */
async function deleteEmpty(trx: StoreTransaction, ids: readonly number[], most: number): Promise<number> {
  const none = (table: 'event' | 'feedback' | 'note') =>
    sql<boolean>`not exists (select 1 from ${sql.table(table)} as of_it where of_it.issue_id = issue.id)`;
  const empty = trx
    .selectFrom('issue')
    .select('id')
    .where('id', 'in', ids)
    .where(none('event'))
    .where(none('feedback'))
    .where(none('note'))
    .orderBy('last_seen_ms')
    .orderBy('id')
    .limit(most);
  const deleted = await trx.deleteFrom('issue').where('id', 'in', empty).returning('events').execute();
  await countOfDeletedIssues(
    trx,
    deleted.reduce((sum, { events }) => sum + events, 0),
  );
  return deleted.length;
}
