import { type Dsn, envelopeUrl } from '../envelope/dsn.ts';
import { parseRateLimits, type RateLimit } from '../envelope/rate-limits.ts';
import type { Discard } from '../outcome/outcome.ts';
import type { ProjectLimits } from '../spool/protocol/spool-messages.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import { monotonicNowMs, unmovedWallMs } from '../time/monotonic-clock.ts';
import { applyLimits } from './limited-items.ts';
import { type Settlement, Sink } from '../sink/sink.ts';
import {
  Unanswered,
  type UpstreamAnswer,
  UpstreamClient,
  type UpstreamClientOptions,
} from './upstream-client.ts';
import { encodeEnvelope } from './upstream-request.ts';

/** Statuses after which the same bytes may be taken later; see docs/protocol.md. */
const RETRYABLE = new Set([408, 425, 502, 503, 504]);
/**
 * Statuses that speak of the DSN and not of the envelope: its project is not known, its key is not allowed, or it lives
 * elsewhere (redirects are not followed, or an upstream could send envelopes anywhere).
 */
const DSN_REFUSED = new Set([301, 302, 303, 307, 308, 401, 403, 404]);
/** Longest wait an answer can ask for; then a probe finds out. */
const MAX_RETRY_AFTER_MS = 5 * 60_000;
/** Longest `X-Sentry-Error` that is kept, characters. */
const MAX_DETAIL_LENGTH = 500;

const NOTHING: readonly Discard[] = [];

/** The rate limits of one project, kept by the spool. */
export interface LimitKeep {
  readonly rateLimits: { of(project: string): readonly RateLimit[] };
  saveRateLimits(limits: ProjectLimits): void;
}

export interface UpstreamOptions extends Omit<UpstreamClientOptions, 'origin' | 'path'> {
  readonly dsn: Dsn;
  /** Canonical DSN. */
  readonly project: string;
  /** `name/version`, told to the upstream as `sentry_client` where the sender told none of its own. */
  readonly client: string;
}

/**
 * A Sentry-compatible service, named by one entry of the allow-list: address and key come from there and never
 * from an envelope, so that no envelope can choose where it is sent. Redirects are not followed.
 */
export class Upstream extends Sink {
  override readonly maxBatch = 1;
  readonly #client: UpstreamClient;
  readonly #options: UpstreamOptions;
  readonly #keep: LimitKeep;

  constructor(options: UpstreamOptions, keep: LimitKeep) {
    super();
    const { origin, pathname: path } = new URL(envelopeUrl(options.dsn));
    this.#options = options;
    this.#keep = keep;
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
      const limits = this.#keep.rateLimits.of(this.#options.project);
      const sendable = applyLimits(envelope.items, limits, unmovedWallMs());
      if (sendable.verdict === 'hold') return { outcome: 'held', untilMs: sendable.untilMs, wasSent: false };
      if (sendable.verdict === 'whole') return await this.#send(envelope, envelope.items, NOTHING);
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
    const encoded = encodeEnvelope(envelope, items, { wallMs: Date.now(), monotonicMs: monotonicNowMs() });
    // Only large ones have to be compressed, and are waited for.
    const { body, isGzip } = 'body' in encoded ? encoded : await encoded;
    let answer: UpstreamAnswer;
    try {
      answer = await this.#client.post(this.#headers(envelope, isGzip), body);
    } catch (error) {
      const { cause, wasSent } = error instanceof Unanswered ? error : { cause: error, wasSent: true };
      const blame = wasSent ? 'sink' : 'way';
      return { outcome: 'retry', reason: networkReason(cause), retryAfterMs: null, blame };
    }
    return this.#settlement(answer, envelope, discarded);
  }

  /** The fixed set: nothing else a browser sent is passed on, above all no Cookie and no Authorization. */
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

  #settlement(answer: UpstreamAnswer, envelope: QueuedEnvelope, discarded: readonly Discard[]): Settlement {
    const { status, headers } = answer;
    const nowMs = unmovedWallMs();
    const limits = parseRateLimits(status, headers, nowMs);
    // A 503 with Retry-After is about the service, not about a quota.
    if (limits.length > 0 && status !== 503)
      this.#keep.saveRateLimits({ project: this.#options.project, limits });
    const reason = `status_${status}`;
    if (status >= 200 && status < 300) return { outcome: 'delivered', digest: null, discarded };
    // Retried like an outage, but the upstream has said when, and of what.
    if (status === 429) return limited(envelope, limits);
    if (DSN_REFUSED.has(status)) return { outcome: 'retry', reason, retryAfterMs: null, blame: 'dsn' };
    if (RETRYABLE.has(status)) {
      return { outcome: 'retry', reason, retryAfterMs: retryAfterMs(answer, nowMs), blame: 'sink' };
    }
    if (status >= 500) return { outcome: 'retry', reason, retryAfterMs: null, blame: 'envelope' };
    return { outcome: 'refused', reason, status, detail: detailOf(answer) };
  }
}

/**
 * The upstream refused an envelope because of a limit, and counted what is in it. Errors and feedback are sent again
 * once the limit is over, and so is what this process has to tell; the rest is gone.
 */
function limited({ class: rank, source }: QueuedEnvelope, limits: readonly RateLimit[]): Settlement {
  if (rank !== 0 && source !== 'own') return { outcome: 'dropped', wasSent: true };
  return { outcome: 'held', untilMs: Math.max(0, ...limits.map(({ untilMs }) => untilMs)), wasSent: true };
}

/** How long a 503 and its like ask to wait, ms; no longer than a maintenance that is looked after. */
function retryAfterMs({ headers }: UpstreamAnswer, nowMs: number): number | null {
  const [limit] = parseRateLimits(503, { 'retry-after': headers['retry-after'] }, nowMs);
  const waitMs = limit === undefined ? 0 : Math.min(limit.untilMs - nowMs, MAX_RETRY_AFTER_MS);
  return waitMs > 0 ? waitMs : null;
}

function detailOf({ headers }: UpstreamAnswer): string {
  const detail = headers['x-sentry-error'];
  return typeof detail === 'string' ? detail.slice(0, MAX_DETAIL_LENGTH) : '';
}

/** A code that stays the same between failures of one kind, for counting. */
function networkReason(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'network';
  if ('name' in error && error.name === 'TimeoutError') return 'timeout';
  return 'code' in error && typeof error.code === 'string' ? error.code.toLowerCase() : 'network';
}
