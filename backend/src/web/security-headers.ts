import type { RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import type { HttpsOnly } from '../contract/page-policy.ts';
import { isConsolePath } from '../contract/routes.ts';
import type { PolicyHeaders } from './client-policy.ts';

/**
 * Headers of every page: content from this origin only, no inline script or style, and Trusted Types, so that a string of
 * an event cannot become a script (XSS). Error pages replace the policy with their own, stricter one.
 */
const HEADERS = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'"],
      'font-src': ["'self'"],
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
      'require-trusted-types-for': ["'script'"],
    },
  },
  crossOriginEmbedderPolicy: { policy: 'require-corp' },
  crossOriginOpenerPolicy: { policy: 'same-origin' },
  crossOriginResourcePolicy: { policy: 'same-origin' },
  referrerPolicy: { policy: 'no-referrer' },
} satisfies HelmetOptions;

/** Two years, as the preload list asks for; browsers ignore it over plain http. */
export const TWO_YEARS: HttpsOnly = { maxAge: 63_072_000, includeSubDomains: true };

/** Returns middleware that sets the headers of the built-in client, in place of another client's. */
export function builtInHeaders(httpsOnly: HttpsOnly | null): RequestHandler {
  const setHeaders = helmet({ ...HEADERS, strictTransportSecurity: httpsOnly ?? false });
  return (request, response, next) => {
    response.removeHeader('Content-Security-Policy-Report-Only');
    setHeaders(request, response, next);
  };
}

/** The headers of console pages in another application, which decides itself about HTTPS of its host and subdomains. */
export const consoleHeaders: RequestHandler = builtInHeaders(null);

/**
 * Returns middleware that sets the headers of another team's client. It may embed others, be embedded and share its windows
 * as on any other server: of the headers of the built-in client, only those stay that break no such page.
 */
export function foreignHeaders(httpsOnly: HttpsOnly | null, policy: PolicyHeaders): RequestHandler {
  const headers = {
    'X-Content-Type-Options': 'nosniff',
    ...policy,
    ...(httpsOnly !== null && { 'Strict-Transport-Security': textOf(httpsOnly) }),
  };
  return (_, response, next) => {
    response.set(headers);
    next();
  };
}

function textOf({ maxAge, includeSubDomains }: HttpsOnly): string {
  return `max-age=${maxAge}${includeSubDomains ? '; includeSubDomains' : ''}`;
}

/**
 * Returns middleware that sets the headers of pages and of the API before their content is known. A POST to the tunnel
 * returns no page, so it gets none.
 *
 * @param ofConsole also for the API of the console.
 */
export function pageHeaders(ofClient: RequestHandler, ofConsole: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (request.method === 'POST' && !request.path.startsWith('/console/')) next();
    else if (isConsolePath(request.path)) ofConsole(request, response, next);
    else ofClient(request, response, next);
  };
}
