import type { Request, Response } from 'express';

/**
 * The cookie of a signed-in browser. Over https it has the `__Host-` prefix and `Secure`; on loopback over plain
 * http browsers refuse that prefix, so it has another name there; over plain http anywhere else there is none.
 */
const SECURE_NAME = '__Host-errata';
const LOOPBACK_NAME = 'errata-session';
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;

/** Setting of the Express application: its port is published on loopback, so that any peer is of this host. */
export const PUBLISHED_ON_LOOPBACK = 'published on loopback';

export type Transport = 'https' | 'loopback' | 'plain';

/** How the browser reached this process. */
export function transportOf(request: Pick<Request, 'secure' | 'socket' | 'headers' | 'app'>): Transport {
  if (request.secure) return 'https';
  const peer = request.socket.remoteAddress ?? '';
  const isLocal =
    peer === '::1' || /^(::ffff:)?127\./.test(peer) || request.app.get(PUBLISHED_ON_LOOPBACK) === true;
  return isLocal && LOOPBACK_HOST.test(request.headers.host ?? '') ? 'loopback' : 'plain';
}

/** The session token a request brings, or undefined. */
export function readSessionCookie(request: Request): string | undefined {
  const name = transportOf(request) === 'https' ? SECURE_NAME : LOOPBACK_NAME;
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key = '', value] = pair.trim().split('=', 2);
    if (key === name && value !== undefined && value !== '') return value;
  }
  return undefined;
}

export function setSessionCookie(
  request: Request,
  response: Response,
  token: string,
  maxAgeMs: number,
): void {
  const isSecure = transportOf(request) === 'https';
  response.cookie(isSecure ? SECURE_NAME : LOOPBACK_NAME, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure,
    maxAge: maxAgeMs,
  });
}

export function clearSessionCookie(request: Request, response: Response): void {
  const isSecure = transportOf(request) === 'https';
  const name = isSecure ? SECURE_NAME : LOOPBACK_NAME;
  response.clearCookie(name, { path: '/', httpOnly: true, sameSite: 'strict', secure: isSecure });
}
