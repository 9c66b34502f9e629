/** The tunnel's answer to an envelope. */
type PostVerdict =
  /** 2xx of the tunnel itself: the envelope is on the server's disk. */
  | 'accepted'
  /** The same bytes would be rejected again. */
  | 'refused'
  /** 429: this client sends too much. */
  | 'limited'
  /** Unreachable, or temporarily unable. */
  | 'later';

export interface PostAnswer {
  readonly verdict: PostVerdict;
  /** Retry-After in ms; null without one. */
  readonly retryAfterMs: number | null;
  readonly status: number | null;
  /** `X-Sentry-Rate-Limits`, for the SDK. */
  readonly rateLimits: string | null;
}

/** The same bytes would get the same answer: malformed, not allowed, too large, unsupported encoding. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 413, 415]);
/** The tunnel answers small envelopes within 2 s, larger ones mostly, too; a much longer request hangs in between. */
const TIMEOUT_MS = 30_000;
/** For a 429 without a time: Sentry's rule for rate limits (develop.sentry.dev, "Rate Limiting"). */
const DEFAULT_LIMIT_MS = 60_000;
/** A longer Retry-After comes from a wrong clock behind its date; a reopened page would try anyway. */
const MAX_RETRY_AFTER_MS = 60 * 60 * 1_000;
/**
 * Requests with keepalive share 64 KiB per page; above that fetch fails at once (fetch standard, "HTTP-network-or-cache
 * fetch"). Chromium allows 15 of them.
 */
const MAX_KEEPALIVE_BYTES = 60_000;
const MAX_KEEPALIVE_COUNT = 14;

function retryAfterMs(response: Response, nowMs: number): number | null {
  const text = response.headers.get('Retry-After');
  const seconds = text === null ? Number.NaN : Number(text);
  const atMs = text === null ? Number.NaN : Date.parse(text);
  const askedMs = Number.isFinite(seconds) ? seconds * 1_000 : atMs - nowMs;
  if (Number.isFinite(askedMs)) return Math.min(Math.max(0, askedMs), MAX_RETRY_AFTER_MS);
  return response.status === 429 ? DEFAULT_LIMIT_MS : null;
}

/**
 * Reads an answer. A hotspot's page, a firewall or a proxy also answers 200 or 403 in the tunnel's place, and would end a
 * report that never arrived: the tunnel's own answers have a JSON object, its refusals `X-Sentry-Error`.
 */
async function verdictOf(response: Response): Promise<PostVerdict> {
  const { ok, status, headers } = response;
  if (ok) return (await hasObject(response)) ? 'accepted' : 'later';
  if (status === 429) return 'limited';
  return REFUSALS.has(status) && headers.has('X-Sentry-Error') ? 'refused' : 'later';
}

async function hasObject(response: Response): Promise<boolean> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null && !Array.isArray(body);
  } catch {
    return false;
  }
}

/** Posts envelopes to the tunnel and returns the result; it never rejects. */
export class EnvelopePost {
  readonly #url: string;
  readonly #fetch: typeof fetch;
  readonly #now: () => number;
  #keepaliveBytes = 0;
  #keepaliveCount = 0;

  constructor(url: string, send: typeof fetch, now: () => number = Date.now) {
    this.#url = url;
    this.#fetch = send;
    this.#now = now;
  }

  /** `mayOutlive`: whether the request goes on when the page closes. */
  async post(body: Uint8Array<ArrayBuffer>, mayOutlive: boolean): Promise<PostAnswer> {
    const keepalive =
      mayOutlive &&
      this.#keepaliveCount < MAX_KEEPALIVE_COUNT &&
      this.#keepaliveBytes + body.length <= MAX_KEEPALIVE_BYTES;
    const size = keepalive ? body.length : 0;
    this.#keepaliveBytes += size;
    this.#keepaliveCount += Number(keepalive);
    try {
      return await this.#send(body, keepalive);
    } catch {
      return { verdict: 'later', retryAfterMs: null, status: null, rateLimits: null };
    } finally {
      this.#keepaliveBytes -= size;
      this.#keepaliveCount -= Number(keepalive);
    }
  }

  async #send(body: Uint8Array<ArrayBuffer>, keepalive: boolean): Promise<PostAnswer> {
    const response = await this.#fetch(this.#url, {
      method: 'POST',
      body,
      keepalive,
      referrerPolicy: 'strict-origin',
      // The tunnel never redirects. A redirect comes from another server (a sign-in page in front), and so would the
      // 200 at its end.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return {
      verdict: await verdictOf(response),
      retryAfterMs: retryAfterMs(response, this.#now()),
      status: response.status,
      rateLimits: response.headers.get('X-Sentry-Rate-Limits'),
    };
  }
}
