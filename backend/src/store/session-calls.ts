import {
  deleteSession,
  deleteSessionById,
  deleteSessionsBut,
  findSession,
  listSessions,
  saveSession,
  type SessionAges,
  type StoredSession,
  touchSession,
} from './access/session-rows.ts';
import type { StoreContext } from './store-context.ts';

/** Who is signed in. */
export const SESSION_CALLS = {
  saveSession: ({ db }: StoreContext, session: StoredSession): Promise<void> => saveSession(db, session),

  session: ({ db }: StoreContext, tokenHash: string): Promise<StoredSession | undefined> =>
    findSession(db, tokenHash),

  /** Those that are not over, newest first. */
  sessions: ({ db }: StoreContext, ages: SessionAges): Promise<readonly StoredSession[]> =>
    listSessions(db, ages),

  touchSession: ({ db }: StoreContext, tokenHash: string, lastSeenAtMs: number): Promise<void> =>
    touchSession(db, tokenHash, lastSeenAtMs),

  deleteSession: ({ db }: StoreContext, tokenHash: string): Promise<void> => deleteSession(db, tokenHash),

  deleteSessionById: ({ db }: StoreContext, id: string): Promise<void> => deleteSessionById(db, id),

  /** Those that are over go. */
  deleteSessionsBut: ({ db }: StoreContext, ages: SessionAges): Promise<void> => deleteSessionsBut(db, ages),
};
