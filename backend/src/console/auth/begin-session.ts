import type { Request, Response } from 'express';
import type { Sessions, NewSession } from './sessions.ts';
import type { Audit } from './audit.ts';
import { readSessionCookie, setSessionCookie } from './session-cookie.ts';

/** A cookie outlives no session: the session's own limits end it earlier. */
const COOKIE_MAX_AGE_MS = 7 * 86_400_000;

/** Hands a session that has just begun to its browser; the one it had before ends, so that none is left behind. */
export async function beginSession(
  { access, audit }: { readonly access: Sessions; readonly audit: Audit },
  { token, visitor }: NewSession,
  request: Request,
  response: Response,
): Promise<void> {
  await audit.changed(visitor, { action: 'sign_in', target: null, detail: visitor.session?.way ?? null });
  const before = readSessionCookie(request);
  if (before !== undefined) await access.signOut(before);
  setSessionCookie(request, response, token, COOKIE_MAX_AGE_MS);
}
