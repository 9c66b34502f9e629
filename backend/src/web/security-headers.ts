import type { NextFunction, Request, Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';

/**
 * Headers of every page: content from this origin only, no inline script or style, and Trusted Types, so that a string of
 * an event cannot become a script (XSS). Error pages replace the policy with their own, stricter one.
 */
const HEADERS: HelmetOptions = {
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
  // Two years, as the preload list asks for; browsers ignore it over plain http.
  strictTransportSecurity: { maxAge: 63_072_000, includeSubDomains: true },
};

const securityHeaders = helmet(HEADERS);

/** The headers of console pages in another application, which decides itself about HTTPS of its host and subdomains. */
export const consoleHeaders = helmet({ ...HEADERS, strictTransportSecurity: false });

/** Sets the headers on pages and on the API. A POST to the tunnel returns no page, so it gets none. */
export function pageHeaders(request: Request, response: Response, next: NextFunction): void {
  if (request.method === 'POST' && !request.path.startsWith('/console/')) next();
  else securityHeaders(request, response, next);
}
