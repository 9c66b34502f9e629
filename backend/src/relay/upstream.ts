import { type Dsn, envelopeUrl } from '../envelope/dsn.ts';
import { parseRateLimits, type RateLimit } from '../envelope/rate-limits.ts';
import type { Discard } from '../outcome/outcome.ts';
import type { ProjectLimits } from '../spool/protocol/spool-messages.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import { monotonicNowMs, unmovedWallMs } from '../time/monotonic-clock.ts';
import { applyLimits } from './limited-items.ts';
import { type Settlement, Sink } from '../sink/sink.ts';
import {
  NoResponse,
  type UpstreamResponse,
  UpstreamClient,
  type UpstreamClientOptions,
} from './upstream-client.ts';
import { encodeEnvelope, type Moment } from './upstream-request.ts';

/** Statuses after which the upstream may accept the same bytes later; see docs/protocol.md. */
const RETRYABLE = new Set([408, 425, 502, 503, 504]);
/**
 * Statuses that reject the DSN, not the envelope: the project is unknown, the key is not allowed, or the project has
 * moved. Redirects are not followed, because an upstream could redirect envelopes to any host.
 */
const DSN_REFUSED = new Set([301, 302, 303, 307, 308, 401, 403, 404]);
/** Longest `Retry-After` that is obeyed; after it a probe checks the upstream. */
const MAX_RETRY_AFTER_MS = 5 * 60_000;
/** Most characters of `X-Sentry-Error` that are stored. */
const MAX_DETAIL_LENGTH = 500;

const NO_DISCARDS: readonly Discard[] = [];

/** Persistent rate limits by project; the spool implements it. */
export interface RateLimitStore {
  readonly rateLimits: { of(project: string): readonly RateLimit[] };
  saveRateLimits(limits: ProjectLimits): void;
}

export interface UpstreamOptions extends Omit<UpstreamClientOptions, 'origin' | 'path'> {
  readonly dsn: Dsn;
  /** Canonical DSN. */
  readonly project: string;
  /** `name/version`, sent as `sentry_client` if the client named no SDK. */
  readonly client: string;
}

const realNow = (): Moment => ({ wallMs: Date.now(), monotonicMs: monotonicNowMs() });

/**
 * Delivers envelopes to a Sentry-compatible server. URL and key come from the allow-list and never from an envelope, so
 * that no envelope can choose its destination (SSRF). Redirects are not followed.
 */
export class Upstream extends Sink {
  override readonly maxBatch = 1;
  readonly #client: UpstreamClient;
  readonly #options: UpstreamOptions;
  readonly #rateLimits: RateLimitStore;
  readonly #now: () => Moment;

  constructor(options: UpstreamOptions, rateLimits: RateLimitStore, now: () => Moment = realNow) {
    super();
    const { origin, pathname: path } = new URL(envelopeUrl(options.dsn));
    this.#options = options;
    this.#rateLimits = rateLimits;
    this.#now = now;
    this.#client = new UpstreamClient({ ...options, origin, path });
  }

  override deliver(batch: readonly QueuedEnvelope[]): Promise<readonly Settlement[]> {
    return Promise.all(batch.map((envelope) => this.#deliverOne(envelope)));
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #deliverOne(envelope: QueuedEnvelope): Promise<Settlement> {
    try {
      const limits = this.#rateLimits.rateLimits.of(this.#options.project);
      const sendable = applyLimits(envelope.items, limits, unmovedWallMs());
      if (sendable.verdict === 'hold') return { outcome: 'held', untilMs: sendable.untilMs, wasSent: false };
      if (sendable.verdict === 'whole') return await this.#send(envelope, envelope.items, NO_DISCARDS);
      if (sendable.items.length === 0) return { outcome: 'dropped', wasSent: false };
      const discarded = sendable.lost.map((quantity) => ({
        reason: 'ratelimit_backoff' as const,
        ...quantity,
      }));
      return await this.#send(envelope, sendable.items, discarded);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return { outcome: 'refused', reason: 'unsendable', status: null, detail };
    }
  }

  async #send(
    envelope: QueuedEnvelope,
    items: Uint8Array,
    discarded: readonly Discard[],
  ): Promise<Settlement> {
    const encoded = encodeEnvelope(envelope, items, this.#now());
    // Only large envelopes are compressed here, which is asynchronous.
    const { body, isGzip } = 'body' in encoded ? encoded : await encoded;
    let response: UpstreamResponse;
    try {
      response = await this.#client.post(this.#headers(envelope, isGzip), body);
    } catch (error) {
      const { cause, wasSent } = error instanceof NoResponse ? error : { cause: error, wasSent: true };
      const scope = wasSent ? 'sink' : 'connection';
      return { outcome: 'retry', reason: networkReason(cause), retryAfterMs: null, scope };
    }
    return this.#settlement(response, envelope, discarded);
  }

  /** Returns a fixed set of headers; no other one of the client is passed on, above all no Cookie or Authorization. */
  #headers({ sender }: QueuedEnvelope, isGzip: boolean): Record<string, string> {
    const { client, dsn } = this.#options;
    const headers: Record<string, string> = {
      'content-type': 'application/x-sentry-envelope',
      'accept-encoding': 'identity',
      'user-agent': sender.userAgent ?? client,
      'x-sentry-auth': `Sentry sentry_version=7, sentry_client=${sender.sdk ?? client}, sentry_key=${dsn.publicKey}`,
      ...sender.clientHints,
    };
    if (isGzip) headers['content-encoding'] = 'gzip';
    if (sender.address !== null) headers['x-forwarded-for'] = sender.address;
    if (sender.origin !== null) headers['origin'] = sender.origin;
    if (sender.referer !== null) headers['referer'] = sender.referer;
    return headers;
  }

  #settlement(
    response: UpstreamResponse,
    envelope: QueuedEnvelope,
    discarded: readonly Discard[],
  ): Settlement {
    const { status, headers } = response;
    const nowMs = unmovedWallMs();
    const limits = parseRateLimits(status, headers, nowMs);
    // Retry-After of a 503 concerns the whole server, not a quota.
    if (limits.length > 0 && status !== 503)
      this.#rateLimits.saveRateLimits({ project: this.#options.project, limits });
    const reason = `status_${status}`;
    if (status >= 200 && status < 300) return { outcome: 'delivered', digest: null, discarded };
    // The upstream has named the limited categories and the end of the limit.
    if (status === 429) return rateLimited(envelope, limits);
    if (DSN_REFUSED.has(status)) return { outcome: 'retry', reason, retryAfterMs: null, scope: 'dsn' };
    if (RETRYABLE.has(status)) {
      return { outcome: 'retry', reason, retryAfterMs: retryAfterMs(response, nowMs), scope: 'sink' };
    }
    if (status >= 500) return { outcome: 'retry', reason, retryAfterMs: null, scope: 'envelope' };
    return { outcome: 'refused', reason, status, detail: detailOf(response) };
  }
}

/**
 * Returns the settlement of a 429. Errors, feedback and this process's own events are held and sent again after the
 * limit; other envelopes are dropped, and the upstream has counted their items.
 */
function rateLimited({ class: rank, source }: QueuedEnvelope, limits: readonly RateLimit[]): Settlement {
  if (rank !== 0 && source !== 'own') return { outcome: 'dropped', wasSent: true };
  return { outcome: 'held', untilMs: Math.max(0, ...limits.map(({ untilMs }) => untilMs)), wasSent: true };
}

/** Returns the `Retry-After` of a retryable status, ms; at most {@link MAX_RETRY_AFTER_MS}, null without one. */
function retryAfterMs({ headers }: UpstreamResponse, nowMs: number): number | null {
  const [limit] = parseRateLimits(503, { 'retry-after': headers['retry-after'] }, nowMs);
  const waitMs = limit === undefined ? 0 : Math.min(limit.untilMs - nowMs, MAX_RETRY_AFTER_MS);
  return waitMs > 0 ? waitMs : null;
}

function detailOf({ headers }: UpstreamResponse): string {
  const detail = headers['x-sentry-error'];
  return typeof detail === 'string' ? detail.slice(0, MAX_DETAIL_LENGTH) : '';
}

/** Returns a stable code for a network failure, used as a metric label. */
function networkReason(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'network';
  if ('name' in error && error.name === 'TimeoutError') return 'timeout';
  return 'code' in error && typeof error.code === 'string' ? error.code.toLowerCase() : 'network';
}
