import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { DAY_MS } from '../../time/iso.ts';
import { countOfDeletedIssues } from '../db/counters.ts';
import { ISSUE_BYTES } from '../db/occupied-bytes.ts';
import type { Database, Flavor, StoreTransaction } from '../db/schema.ts';

/** Issues read in one transaction: a concurrent read waits for it. */
const CHUNK = 100;

/** A position in the order in which issues are deleted. */
interface IssuePosition {
  readonly last_seen_ms: number;
  readonly id: number;
}

/** Returns the bytes of all issues. */
export async function bytesOfIssues(db: Database): Promise<number> {
  const { issues } = await db
    .selectFrom('issue')
    .select((row) => row.fn.countAll<number>().as('issues'))
    .executeTakeFirstOrThrow();
  return issues * ISSUE_BYTES;
}

/**
 * Deletes the issues that were last seen longest ago, above `maxBytes`. Issues outlive their events, so that an old digest
 * is found; but a client with the DSN can create any number of them. Only open issues without events, feedback, notes and a
 * line on pages are deleted, those of two users or two days last: a flood makes most of them with one event. Their events stay counted.
 *
 * @returns the number of deleted issues.
 */
export async function pruneIssues(db: Database, flavor: Flavor, maxBytes: number): Promise<number> {
  const excess = Math.ceil(((await bytesOfIssues(db)) - maxBytes) / ISSUE_BYTES);
  let removed = 0;
  for (const isSeenOnce of [true, false]) {
    let after: IssuePosition | undefined = { last_seen_ms: -1, id: 0 };
    while (after !== undefined && removed < excess) {
      const step = await prune(db, flavor, { after, most: excess - removed, isSeenOnce });
      removed += step.removed;
      after = step.next;
      // The embedded database is synchronous: without this no other request runs.
      await setImmediate();
    }
  }
  return removed;
}

interface PruneStep {
  readonly after: IssuePosition;
  readonly most: number;
  /** Whether issues of two users or two days stay. */
  readonly isSeenOnce: boolean;
}

/** Deletes one chunk. The newest issue stays: SQLite would reuse its id, and the next issue would be confused with it. */
function prune(
  db: Database,
  flavor: Flavor,
  { after, most, isSeenOnce }: PruneStep,
): Promise<{ readonly removed: number; readonly next: IssuePosition | undefined }> {
  return db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom('issue')
      .select(['id', 'last_seen_ms'])
      .where('status', '=', 'open')
      .where('id', '<', (query) =>
        query.selectFrom('issue as newest').select((row) => row.fn.max('newest.id').as('id')),
      )
      .$if(isSeenOnce, (query) =>
        query.where('users', '<', 2).where(sql<boolean>`last_seen_ms - first_seen_ms < ${DAY_MS}`),
      )
      .where(sql<boolean>`(last_seen_ms, id) > (${after.last_seen_ms}, ${after.id})`)
      .orderBy('last_seen_ms')
      .orderBy('id')
      .limit(CHUNK)
      // Skips issues that a transaction is writing. The next statement reads the rows as they are when locked.
      .$if(flavor === 'postgres', (query) => query.forUpdate().skipLocked())
      .execute();
    const ids = rows.map(({ id }) => id);
    const removed = ids.length === 0 ? 0 : await deleteEmpty(trx, ids, most);
    return { removed, next: rows.at(-1) };
  });
}

/** Deletes issues without events, feedback, notes and a line. Rows that refer to an issue are deleted with it. */
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
    .where('page_line', 'is', null)
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
