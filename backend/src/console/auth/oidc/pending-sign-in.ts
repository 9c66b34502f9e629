import type { Request, Response } from 'express';
import { z } from 'zod';
import { cookieFor, type CookieNames } from '../session-cookie.ts';

/** A user needs some minutes at the provider for a password and a second factor. */
const VALID_MS = 10 * 60_000;
const NAMES: CookieNames = { secure: 'errata-oidc', loopback: 'errata-oidc' };

const schema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  to: z.string(),
  beganAtMs: z.number(),
});

/** The values of a sign-in while its user is at the provider. */
export type PendingSignIn = Readonly<z.infer<typeof schema>>;

/**
 * Saves a pending sign-in in a cookie of the browser, so that any replica can finish it. The cookie is HttpOnly, and over
 * HTTPS it has a prefix that no other host of the domain can set. It opens nothing: it is useless without the provider's
 * code, and the code is useless without it.
 *
 * SameSite=Lax and not Strict: the browser comes back from the provider, another site, and would not send a Strict cookie.
 */
export function savePendingSignIn(request: Request, response: Response, pending: PendingSignIn): void {
  const value = Buffer.from(JSON.stringify(pending)).toString('base64url');
  const { name, attributes } = cookieFor(request, NAMES);
  response.cookie(name, value, { ...attributes, sameSite: 'lax', maxAge: VALID_MS });
}

/** Returns the pending sign-in and deletes its cookie; undefined without one, or when it has expired. */
export function takePendingSignIn(
  request: Request,
  response: Response,
  nowMs: number,
): PendingSignIn | undefined {
  const { name, attributes } = cookieFor(request, NAMES);
  response.clearCookie(name, { ...attributes, sameSite: 'lax' });
  const pending = parsed(
    new RegExp(`(?:^|; ?)${name}=([A-Za-z0-9_-]+)`).exec(request.headers.cookie ?? '')?.[1],
  );
  return pending !== undefined && nowMs - pending.beganAtMs <= VALID_MS ? pending : undefined;
}

function parsed(value: string | undefined): PendingSignIn | undefined {
  if (value === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(Buffer.from(value, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}
