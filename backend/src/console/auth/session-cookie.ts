import type { Request, Response } from 'express';

/**
 * The session cookie. Over HTTPS it has the `__Host-` prefix and `Secure`. Over plain HTTP on loopback browsers reject
 * that prefix, so it has another name there. Over plain HTTP anywhere else it must never be set.
 */
const SECURE_NAME = '__Host-errata';
const LOOPBACK_NAME = 'errata-session';
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;

/** Key of a setting in the Express application: true when the port is published on loopback, so every peer is local. */
export const PUBLISHED_ON_LOOPBACK = 'published on loopback';

export type RequestTransport = 'https' | 'loopback' | 'plain';

/** Returns how the browser reached this process. */
export function transportOf(
  request: Pick<Request, 'secure' | 'socket' | 'headers' | 'app'>,
): RequestTransport {
  if (request.secure) return 'https';
  const peer = request.socket.remoteAddress ?? '';
  const isLocal =
    peer === '::1' || /^(::ffff:)?127\./.test(peer) || request.app.get(PUBLISHED_ON_LOOPBACK) === true;
  return isLocal && LOOPBACK_HOST.test(request.headers.host ?? '') ? 'loopback' : 'plain';
}

/** Returns the session token of a request, or undefined. */
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
