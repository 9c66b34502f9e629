import type { StoredSession } from './event-store.ts';
import type { Database } from './schema.ts';

/** Repeating it changes nothing but the times. */
export async function saveSession(db: Database, session: StoredSession): Promise<void> {
  const times = { created_ms: session.createdAtMs, last_seen_ms: session.lastSeenAtMs };
  await db
    .insertInto('session')
    .values({ token_hash: session.tokenHash, ...times })
    .onConflict((conflict) => conflict.column('token_hash').doUpdateSet(times))
    .execute();
}

export async function findSession(db: Database, tokenHash: string): Promise<StoredSession | undefined> {
  const row = await db
    .selectFrom('session')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { tokenHash: row.token_hash, createdAtMs: row.created_ms, lastSeenAtMs: row.last_seen_ms };
}

export async function touchSession(db: Database, tokenHash: string, lastSeenAtMs: number): Promise<void> {
  await db
    .updateTable('session')
    .set({ last_seen_ms: lastSeenAtMs })
    .where('token_hash', '=', tokenHash)
    .execute();
}

export async function deleteSession(db: Database, tokenHash: string): Promise<void> {
  await db.deleteFrom('session').where('token_hash', '=', tokenHash).execute();
}
