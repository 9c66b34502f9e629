import { deleteSession, findSession, saveSession, type StoredSession, touchSession } from '../sessions.ts';
import type { StoreContext } from '../store-context.ts';

/** Who is signed in. */
export const SESSION_CALLS = {
  saveSession: ({ db }: StoreContext, session: StoredSession): Promise<void> => saveSession(db, session),

  session: ({ db }: StoreContext, tokenHash: string): Promise<StoredSession | undefined> =>
    findSession(db, tokenHash),

  touchSession: ({ db }: StoreContext, tokenHash: string, lastSeenAtMs: number): Promise<void> =>
    touchSession(db, tokenHash, lastSeenAtMs),

  deleteSession: ({ db }: StoreContext, tokenHash: string): Promise<void> => deleteSession(db, tokenHash),
};
