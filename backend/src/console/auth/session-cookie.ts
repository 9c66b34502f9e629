import type { Request, Response } from 'express';
import { type Clients, isLoopback } from '../../net/client-address.ts';

/**
 * The session cookie. Over HTTPS it has the `__Host-` prefix and `Secure`. Over plain HTTP on loopback browsers reject
 * that prefix, so it has another name there. Over plain HTTP anywhere else it must never be set.
 */
const NAMES: CookieNames = { secure: 'errata', loopback: 'errata-session' };

/** Key of a setting in the Express application: its {@link Clients}. */
export const CLIENTS = 'clients';

/** Names of a cookie: over HTTPS, without its prefix, and over plain HTTP on loopback. */
export interface CookieNames {
  readonly secure: string;
  readonly loopback: string;
}

type TransportRequest = Pick<Request, 'secure' | 'socket' | 'headers' | 'httpVersion' | 'app'>;
type CookieRequest = TransportRequest & Pick<Request, 'baseUrl'>;

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
export function transportOf(request: TransportRequest): RequestTransport {
  if (request.secure) return 'https';
  const clients: Clients = request.app.get(CLIENTS);
  const { isLocal } = clients.of(request);
  return isLocal && isLoopbackHost(request.headers.host ?? '') ? 'loopback' : 'plain';
}

/** Browsers write an address in this form only; another text, such as `127.999.1.1`, is a name that DNS may resolve. */
function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d+$/, '');
  return name === 'localhost' || name === '[::1]' || isLoopback(name);
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
