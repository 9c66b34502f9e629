import { type Dsn, envelopeUrl } from '../envelope/dsn.ts';
import { parseRateLimits, type RateLimit } from '../envelope/rate-limits.ts';
import type { Discard } from '../outcome/outcome.ts';
import type { ProjectLimits } from '../spool/protocol/spool-messages.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import { monotonicNowMs, unmovedWallMs } from '../time/monotonic-clock.ts';
import type { BackoffBounds } from '../time/backoff.ts';
import { LimitBackoff } from './limit-backoff.ts';
import { applyLimits, withRefused } from './limited-items.ts';
import { type Settlement, Sink } from '../sink/sink.ts';
import { settlementOf } from './upstream-answer.ts';
import {
  NoResponse,
  type UpstreamResponse,
  UpstreamClient,
  type UpstreamClientOptions,
} from './upstream-client.ts';
import { encodeEnvelope, type Moment } from './upstream-request.ts';

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
  /** Bounds of the pauses after 429s in a row. */
  readonly backoff: BackoffBounds;
}

/** Clocks and chance of an upstream. */
export interface UpstreamClock {
  readonly now: () => Moment;
  /** Wall clock of the rate limits, which does not jump, ms. */
  readonly limitMs: () => number;
  /** For the jitter of pauses, 0 to 1. */
  readonly random: () => number;
}

const REAL_CLOCK: UpstreamClock = {
  now: () => ({ wallMs: Date.now(), monotonicMs: monotonicNowMs() }),
  limitMs: unmovedWallMs,
  random: Math.random,
};

/**
 * Delivers envelopes to a Sentry-compatible server. URL and key come from the allow-list and never from an envelope, so
 * that no envelope can choose its destination (SSRF). Redirects are not followed, because an upstream could redirect
 * envelopes to any host.
 */
export class Upstream extends Sink {
  override readonly maxBatch = 1;
  readonly #client: UpstreamClient;
  readonly #options: UpstreamOptions;
  readonly #rateLimits: RateLimitStore;
  readonly #clock: UpstreamClock;
  readonly #backoff: LimitBackoff;

  constructor(options: UpstreamOptions, rateLimits: RateLimitStore, clock: UpstreamClock = REAL_CLOCK) {
    super();
    const { origin, pathname: path } = new URL(envelopeUrl(options.dsn));
    this.#options = options;
    this.#rateLimits = rateLimits;
    this.#clock = clock;
    this.#backoff = new LimitBackoff(options.backoff, clock.random);
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
      const sendable = applyLimits(envelope.items, limits, this.#clock.limitMs());
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
    const encoded = encodeEnvelope(envelope, items, this.#clock.now());
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
    return this.#settlement(response, envelope, items, discarded);
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
    items: Uint8Array,
    discarded: readonly Discard[],
  ): Settlement {
    const { status, headers } = response;
    const nowMs = this.#clock.limitMs();
    const named = parseRateLimits(status, headers, nowMs);
    const limits = status === 429 ? this.#backoff.limited(withRefused(named, items, nowMs), nowMs) : named;
    // Retry-After of a 503 concerns the whole server, not a quota.
    if (limits.length > 0 && status !== 503)
      this.#rateLimits.saveRateLimits({ project: this.#options.project, limits });
    const settlement = settlementOf(response, envelope, discarded, { limits, nowMs });
    if (settlement.outcome === 'delivered') this.#backoff.accepted(items);
    return settlement;
  }
}

/** Returns a stable code for a network failure, used as a metric label. */
function networkReason(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'network';
  if ('name' in error && error.name === 'TimeoutError') return 'timeout';
  return 'code' in error && typeof error.code === 'string' ? error.code.toLowerCase() : 'network';
}
