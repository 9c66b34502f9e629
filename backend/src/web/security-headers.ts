import helmet from 'helmet';

/**
 * Headers of every page: everything from this origin only, no inline script or style, and Trusted Types, so that
 * a string of an event can never become script. Error pages replace the policy by their own, stricter one.
 */
export const securityHeaders = helmet({
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
});
