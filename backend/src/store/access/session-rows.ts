import type { Role, SessionWay } from '../../contract/access-api.ts';
import type { Selectable } from 'kysely';
import type { QueryContext } from '../db/query-context.ts';
import type { StoreTables } from '../db/schema.ts';

/** The session of a signed-in browser, found by the SHA-256 of its cookie: the cookie's value is never stored. */
export interface StoredSession {
  /** SHA-256 of the session token, hex. */
  readonly tokenHash: string;
  /** Public: identifies the session in lists and gives no access. */
  readonly id: string;
  /** Name of the principal, for the audit log. */
  readonly who: string;
  readonly role: Role;
  readonly way: SessionWay;
  /** HMAC of the session token with the console token that started the session, hex; null for other ways. */
  readonly tokenProof: string | null;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
}

export async function saveSession({ db }: QueryContext, session: StoredSession): Promise<void> {
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

export async function findSession(
  { db }: QueryContext,
  tokenHash: string,
): Promise<StoredSession | undefined> {
  const row = await db
    .selectFrom('session')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row === undefined ? undefined : sessionOf(row);
}

function sessionOf(row: Selectable<StoreTables['session']>): StoredSession {
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

export async function touchSession(
  { db }: QueryContext,
  tokenHash: string,
  lastSeenAtMs: number,
): Promise<void> {
  await db
    .updateTable('session')
    .set({ last_seen_ms: lastSeenAtMs })
    .where('token_hash', '=', tokenHash)
    .execute();
}

export async function deleteSession({ db }: QueryContext, tokenHash: string): Promise<void> {
  await db.deleteFrom('session').where('token_hash', '=', tokenHash).execute();
}

/** The age limits of sessions: one that is older by either time has ended. */
export interface SessionAges {
  readonly usedSinceMs: number;
  readonly begunSinceMs: number;
}

/** More sessions than an operator can look through. */
const MAX_LISTED = 1_000;

/** Lists the active sessions, newest first. */
export async function listSessions(
  { db }: QueryContext,
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

export async function deleteSessionById({ db }: QueryContext, id: string): Promise<void> {
  await db.deleteFrom('session').where('id', '=', id).execute();
}

/** Deletes the sessions that have ended. */
export async function deleteEndedSessions(
  { db }: QueryContext,
  { usedSinceMs, begunSinceMs }: SessionAges,
): Promise<void> {
  await db
    .deleteFrom('session')
    .where((row) => row.or([row('last_seen_ms', '<', usedSinceMs), row('created_ms', '<', begunSinceMs)]))
    .execute();
}
