import type { Request, Response } from 'express';

/**
 * The session cookie. Over HTTPS it has the `__Host-` prefix and `Secure`. Over plain HTTP on loopback browsers reject
 * that prefix, so it has another name there. Over plain HTTP anywhere else it must never be set.
 */
const NAMES: CookieNames = { secure: 'errata', loopback: 'errata-session' };
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;

/** Key of a setting in the Express application: true when the port is published on loopback, so every peer is local. */
export const PUBLISHED_ON_LOOPBACK = 'published on loopback';

/** Names of a cookie: over HTTPS, without its prefix, and over plain HTTP on loopback. */
export interface CookieNames {
  readonly secure: string;
  readonly loopback: string;
}

type CookieRequest = Pick<Request, 'secure' | 'socket' | 'headers' | 'app' | 'baseUrl'>;

/**
 * Returns name and attributes of a cookie for a request. Below a base path only its own paths get the cookie, so it has the
 * prefix `__Secure-`: browsers accept `__Host-` on the path `/` only.
 */
export function cookieFor(request: CookieRequest, names: CookieNames) {
  const { baseUrl } = request;
  const secure = transportOf(request) === 'https';
  const prefix = baseUrl === '' ? '__Host-' : '__Secure-';
  return {
    name: secure ? prefix + names.secure : names.loopback,
    attributes: { path: baseUrl === '' ? '/' : baseUrl, httpOnly: true, secure },
  } as const;
}

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
  const { name } = cookieFor(request, NAMES);
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
  const { name, attributes } = cookieFor(request, NAMES);
  response.cookie(name, token, { ...attributes, sameSite: 'strict', maxAge: maxAgeMs });
}

export function clearSessionCookie(request: Request, response: Response): void {
  const { name, attributes } = cookieFor(request, NAMES);
  response.clearCookie(name, { ...attributes, sameSite: 'strict' });
}
