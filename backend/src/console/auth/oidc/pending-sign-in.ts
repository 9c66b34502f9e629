import type { Request, Response } from 'express';
import { z } from 'zod';
import { transportOf } from '../session-cookie.ts';

/** Entering a password and a second factor at the provider takes minutes, not more. */
const VALID_MS = 10 * 60_000;
const SECURE_NAME = '__Host-errata-oidc';
const LOOPBACK_NAME = 'errata-oidc';

const schema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  to: z.string(),
  beganAtMs: z.number(),
});

/** What is kept of a sign-in while its person is at the provider. */
export type HeldSignIn = Readonly<z.infer<typeof schema>>;

/**
 * Held by the browser itself, so that any replica can take it up: HttpOnly, and over https with a prefix that no other
 * host of the domain can set. It opens nothing: without the provider's code it is worthless, and the code without it.
 *
 * SameSite=Lax and not Strict: the way back begins at the provider, another site, and a Strict cookie would stay behind.
 */
export function holdSignIn(request: Request, response: Response, held: HeldSignIn): void {
  const value = Buffer.from(JSON.stringify(held)).toString('base64url');
  response.cookie(nameFor(request), value, { ...options(request), maxAge: VALID_MS });
}

/** Good once; undefined: there is none, or it is too old. */
export function takeHeldSignIn(request: Request, response: Response, nowMs: number): HeldSignIn | undefined {
  const name = nameFor(request);
  response.clearCookie(name, options(request));
  const held = parsed(
    new RegExp(`(?:^|; ?)${name}=([A-Za-z0-9_-]+)`).exec(request.headers.cookie ?? '')?.[1],
  );
  return held !== undefined && nowMs - held.beganAtMs <= VALID_MS ? held : undefined;
}

function parsed(value: string | undefined): HeldSignIn | undefined {
  if (value === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(Buffer.from(value, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}

function nameFor(request: Request): string {
  return transportOf(request) === 'https' ? SECURE_NAME : LOOPBACK_NAME;
}

function options(request: Request) {
  const secure = transportOf(request) === 'https';
  return { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
}
