import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { TrustedHop } from '../net/client-address.ts';
import { isOwnOrigin } from '../net/own-origin.ts';

/** Response headers that let a page of another origin read the response (CORS). */
type CorsHeaders = Readonly<Record<string, string>>;

/**
 * Request headers of the SDKs, with and without tracing.
 * Sources: getsentry/relay relay-server/src/middlewares/cors.rs; bugsink adds the last two.
 */
const ALLOWED_HEADERS = [
  'x-sentry-auth',
  'x-requested-with',
  'x-forwarded-for',
  'origin',
  'referer',
  'accept',
  'content-type',
  'authentication',
  'authorization',
  'content-encoding',
  'transfer-encoding',
  'sentry-trace',
  'baggage',
].join(', ');
/** Response headers that the SDK reads: unless they are exposed, a page of another origin sees no rate limit. */
const EXPOSED_HEADERS = 'x-sentry-error, x-sentry-rate-limits, retry-after';
/** Seconds for which a browser caches a preflight; Relay's value. */
const PREFLIGHT_MAX_AGE = '3600';

const NO_HEADERS: CorsHeaders = {};
const VARY: CorsHeaders = { vary: 'Origin' };

/** Decides which pages may post: pages of this site, and of the origins in `ERRATA_TUNNEL_ORIGINS`. */
export class CorsPolicy {
  readonly #allowed: ReadonlySet<string>;
  readonly #isTrusted: TrustedHop;

  constructor(allowed: readonly string[], isTrusted: TrustedHop) {
    this.#allowed = new Set(allowed);
    this.#isTrusted = isTrusted;
  }

  /**
   * Returns false for a request from a page of another site. A form can send every content type that the tunnel
   * accepts, so without this check any site could make its visitors post here (cross-site request forgery, protocol
   * H20). Browsers send Sec-Fetch-Site; over plain HTTP and in older browsers they send only Origin. Programs send
   * neither and are allowed.
   */
  isAllowed(request: IncomingMessage): boolean {
    const { headers } = request;
    const { 'sec-fetch-site': site, origin } = headers;
    if (site === 'same-origin' || site === 'same-site' || site === 'none') return true;
    if (site === undefined && origin === undefined) return true;
    if (origin !== undefined && this.#allowed.has(origin)) return true;
    return site === undefined && isOwnOrigin(request, this.#isTrusted);
  }

  /** Returns the CORS headers of any response, rejections included: a page obeys only limits that it can read (H12). */
  headersFor({ origin }: IncomingHttpHeaders): CorsHeaders {
    if (this.#allowed.size === 0) return NO_HEADERS;
    if (origin === undefined || !this.#allowed.has(origin)) return VARY;
    return {
      ...VARY,
      'access-control-allow-origin': origin,
      'access-control-expose-headers': EXPOSED_HEADERS,
    };
  }

  /** Returns the headers of the response to a preflight. */
  preflightHeadersFor(headers: IncomingHttpHeaders): CorsHeaders {
    const cors = this.headersFor(headers);
    if (!('access-control-allow-origin' in cors)) return cors;
    return {
      ...cors,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': ALLOWED_HEADERS,
      'access-control-max-age': PREFLIGHT_MAX_AGE,
    };
  }
}
