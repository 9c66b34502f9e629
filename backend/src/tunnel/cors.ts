import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { TrustedHop } from '../net/client-address.ts';

/** Headers by which a page on another origin may read an answer (CORS). */
type CorsHeaders = Readonly<Record<string, string>>;

/**
 * What SDKs send, with and without tracing.
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
/** What the SDK reads of an answer: without this a page on another origin never learns of a limit. */
const EXPOSED_HEADERS = 'x-sentry-error, x-sentry-rate-limits, retry-after';
/** Seconds a browser need not ask again; Relay's value. */
const PREFLIGHT_MAX_AGE = '3600';

const NO_HEADERS: CorsHeaders = {};
const VARY: CorsHeaders = { vary: 'Origin' };

/** Whose pages may post here: those of this site, and those of the origins in `ERRATA_TUNNEL_ORIGINS`. */
export class CorsPolicy {
  readonly #allowed: ReadonlySet<string>;
  readonly #isTrusted: TrustedHop;

  constructor(allowed: readonly string[], isTrusted: TrustedHop) {
    this.#allowed = new Set(allowed);
    this.#isTrusted = isTrusted;
  }

  /**
   * Whether the sender is no page of another site. Every content type that is taken can also be sent by a form, so
   * without this check any site could make its visitors post here (protocol H20). The browser itself says where a
   * request comes from: by Sec-Fetch-Site, or over plain http and in older browsers only by Origin. Programs send
   * neither, and pass.
   */
  isWelcome(request: IncomingMessage): boolean {
    const { headers } = request;
    const { 'sec-fetch-site': site, origin } = headers;
    if (site === 'same-origin' || site === 'same-site' || site === 'none') return true;
    if (site === undefined && origin === undefined) return true;
    if (origin !== undefined && this.#allowed.has(origin)) return true;
    return site === undefined && hostOf(origin) === this.#ownHost(request)?.toLowerCase();
  }

  /** For every answer, a refusal too: what a page cannot read it cannot obey (protocol H12). */
  headersFor({ origin }: IncomingHttpHeaders): CorsHeaders {
    if (this.#allowed.size === 0) return NO_HEADERS;
    if (origin === undefined || !this.#allowed.has(origin)) return VARY;
    return {
      ...VARY,
      'access-control-allow-origin': origin,
      'access-control-expose-headers': EXPOSED_HEADERS,
    };
  }

  /** For the answer to a preflight. */
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

  /** The host that the browser knows; a proxy may have put its own into Host. Compared, and used for nothing else. */
  #ownHost({ headers, socket }: IncomingMessage): string | undefined {
    const forwarded = headers['x-forwarded-host'];
    const isBelieved = forwarded !== undefined && this.#isTrusted(socket.remoteAddress ?? '', 0);
    return isBelieved ? String(forwarded).split(',')[0]?.trim() : headers.host;
  }
}

function hostOf(origin: string | undefined): string | null {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).host : null;
}
