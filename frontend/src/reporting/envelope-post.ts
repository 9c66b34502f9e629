/** How the tunnel took an envelope. */
type PostVerdict =
  /** 2xx: it is on the server's disk. */
  | 'accepted'
  /** It will never take these bytes. */
  | 'refused'
  /** 429: this sender sends too much. */
  | 'limited'
  /** Not reached, or not able now. */
  | 'later';

export interface PostAnswer {
  readonly verdict: PostVerdict;
  /** What the tunnel asked for, in ms; null when it said nothing. */
  readonly retryAfterMs: number | null;
  readonly status: number | null;
  /** `X-Sentry-Rate-Limits`, for the SDK. */
  readonly rateLimits: string | null;
}

/** Answers that the same bytes would get again: malformed, not allowed, too large, wrong coding. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 413, 415]);
/** The tunnel answers in 2 s at the latest; what takes longer hangs somewhere on the way. */
const TIMEOUT_MS = 30_000;
/** A 429 that names no time: Sentry's rule for rate limits (develop.sentry.dev, "Rate Limiting"). */
const DEFAULT_LIMIT_MS = 60_000;
/** Longer is a mistaken clock behind a Retry-After with a date; a page that is opened again would try anyway. */
const MAX_RETRY_AFTER_MS = 60 * 60 * 1_000;
/**
 * A request that may outlive its page counts against 64 KiB of such requests for the whole page, and over it fetch
 * fails at once (fetch standard, "HTTP-network-or-cache fetch"); Chromium allows 15 of them.
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

function verdictOf({ ok, status }: Response): PostVerdict {
  if (ok) return 'accepted';
  if (status === 429) return 'limited';
  return REFUSALS.has(status) ? 'refused' : 'later';
}

/** Posts envelopes to the tunnel and says what became of them; it never rejects. */
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

  /** `mayOutlive`: whether the request should go on when the page closes. */
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
      // The tunnel never redirects. Whoever does is somebody else (a sign-in page in front of it), and the 200 at the
      // end would be theirs.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return {
      verdict: verdictOf(response),
      retryAfterMs: retryAfterMs(response, this.#now()),
      status: response.status,
      rateLimits: response.headers.get('X-Sentry-Rate-Limits'),
    };
  }
}
