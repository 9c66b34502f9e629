import type { Role, SessionWay } from '../../contract/access-api.ts';
import type { Selectable } from 'kysely';
import type { Database, Tables } from '../db/schema.ts';

/** A signed-in browser, found by the SHA-256 of its cookie: the cookie's own value is never stored. */
export interface StoredSession {
  /** SHA-256 of the session token, hex. */
  readonly tokenHash: string;
  /** Public: names it in lists, and opens nothing. */
  readonly id: string;
  /** For the audit log. */
  readonly who: string;
  readonly role: Role;
  readonly way: SessionWay;
  /** HMAC of the session token by the console's token that began it, hex; null for other ways. */
  readonly tokenProof: string | null;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
}

export async function saveSession(db: Database, session: StoredSession): Promise<void> {
  const { tokenHash, id, who, role, way, tokenProof, createdAtMs, lastSeenAtMs } = session;
  await db
    .insertInto('session')
    .values({
      token_hash: tokenHash,
      id,
      who,
      role,
      way,
      token_proof: tokenProof,
      created_ms: createdAtMs,
      last_seen_ms: lastSeenAtMs,
    })
    .execute();
}

export async function findSession(db: Database, tokenHash: string): Promise<StoredSession | undefined> {
  const row = await db
    .selectFrom('session')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row === undefined ? undefined : sessionOf(row);
}

function sessionOf(row: Selectable<Tables['session']>): StoredSession {
  const { id, who, role, way } = row;
  return {
    tokenHash: row.token_hash,
    id,
    who,
    role,
    way,
    tokenProof: row.token_proof,
    createdAtMs: row.created_ms,
    lastSeenAtMs: row.last_seen_ms,
  };
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

/** Sessions that were begun and used since. */
export interface SessionAges {
  readonly usedSinceMs: number;
  readonly begunSinceMs: number;
}

/** More are not listed; nobody could look through them. */
const MAX_LISTED = 1_000;

/** Those that are not over, the newest first. */
export async function listSessions(
  db: Database,
  { usedSinceMs, begunSinceMs }: SessionAges,
): Promise<readonly StoredSession[]> {
  const rows = await db
    .selectFrom('session')
    .selectAll()
    .where('last_seen_ms', '>=', usedSinceMs)
    .where('created_ms', '>=', begunSinceMs)
    .orderBy('created_ms', 'desc')
    .orderBy('id')
    .limit(MAX_LISTED)
    .execute();
  return rows.map(sessionOf);
}

export async function deleteSessionById(db: Database, id: string): Promise<void> {
  await db.deleteFrom('session').where('id', '=', id).execute();
}

/** Deletes those that are over. */
export async function deleteSessionsBut(
  db: Database,
  { usedSinceMs, begunSinceMs }: SessionAges,
): Promise<void> {
  await db
    .deleteFrom('session')
    .where((row) => row.or([row('last_seen_ms', '<', usedSinceMs), row('created_ms', '<', begunSinceMs)]))
    .execute();
}
