import { sql } from 'kysely';
import type { Database, Flavor } from '../db/schema.ts';

/** `errata` in ASCII, which no other user of the database's advisory locks is likely to take. */
const RETENTION_LOCK = 0x65_72_72_61_74_61;

/**
 * Does the work unless another replica is at it, which sees the same rows: each would else take away what is too much.
 * The lock ends with its transaction, also behind a pooler and when the process dies. SQLite has one process.
 *
 * @returns null where it was left to the other one.
 */
export function whileAlone<Result>(
  { db, flavor }: { readonly db: Database; readonly flavor: Flavor },
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
