import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Dispatcher, Pool } from 'undici';
import { type Dsn, envelopeUrl } from '../envelope/dsn.ts';
import { parseRateLimits } from '../envelope/rate-limits.ts';
import { rewriteHeader } from '../envelope/rewrite-header.ts';
import { readEnvelopeHeader } from '../envelope/envelope-header.ts';
import type { SpooledEnvelope } from '../spool/spooled-envelope.ts';
import { type Settlement, Sink } from './sink.ts';

/** Above this size the body is worth compressing; below, the SDKs do not do it either. */
const GZIP_ABOVE_BYTES = 32 * 1024;
/** What of an upstream's answer is read, to free its connection; its text is never reflected to anybody. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Statuses after which the same bytes may be taken later; protocol.md §3.3 of Sentry's SDK rules. */
const RETRYABLE = new Set([408, 425, 429]);

const compress = promisify(gzip);

export interface UpstreamOptions {
  readonly dsn: Dsn;
  /** `name/version`, told to the upstream as `sentry_client` and, where the sender had none, as User-Agent. */
  readonly client: string;
  readonly connections: number;
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly timeoutMs: number;
}

/**
 * A Sentry-compatible service, named by one entry of the allow-list: address and key come from there and never
 * from an envelope, so that no envelope can choose where it is sent. Redirects are not followed.
 */
export class Upstream extends Sink {
  readonly maxBatch = 1;
  readonly #pool: Pool;
  readonly #path: string;
  readonly #authorization: string;
  readonly #options: UpstreamOptions;

  constructor(options: UpstreamOptions) {
    super();
    const url = new URL(envelopeUrl(options.dsn));
    this.#options = options;
    this.#path = url.pathname;
    this.#authorization = `Sentry sentry_version=7, sentry_client=${options.client}, sentry_key=${options.dsn.publicKey}`;
    this.#pool = new Pool(url.origin, {
      connections: options.connections,
      pipelining: 1,
      connect: { timeout: options.connectTimeoutMs },
      headersTimeout: options.headersTimeoutMs,
      bodyTimeout: options.headersTimeoutMs,
    });
  }

  override async deliver(batch: readonly SpooledEnvelope[]): Promise<readonly Settlement[]> {
    return Promise.all(batch.map((envelope) => this.#deliverOne(envelope)));
  }

  /** Drops the kept connections. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #deliverOne(envelope: SpooledEnvelope): Promise<Settlement> {
    try {
      const { body, isGzip } = await encode(envelope, Date.now());
      const answer = await this.#pool.request({
        method: 'POST',
        path: this.#path,
        headers: this.#headers(envelope, isGzip),
        body,
        signal: AbortSignal.timeout(this.#options.timeoutMs),
      });
      await answer.body.dump({ limit: MAX_ANSWER_BYTES });
      return settlementOf(answer, Date.now());
    } catch (error) {
      return { outcome: 'retry', reason: networkReason(error), retryAfterMs: null };
    }
  }

  /** The fixed set: nothing else a browser sent is passed on, above all no Cookie and no Authorization. */
  #headers({ sender }: SpooledEnvelope, isGzip: boolean): Record<string, string> {
    return {
      'content-type': 'application/x-sentry-envelope',
      'accept-encoding': 'identity',
      'user-agent': sender.userAgent ?? this.#options.client,
      'x-sentry-auth': this.#authorization,
      ...(isGzip ? { 'content-encoding': 'gzip' } : {}),
      ...(sender.address === null ? {} : { 'x-forwarded-for': sender.address }),
      ...(sender.origin === null ? {} : { origin: sender.origin }),
      ...(sender.referer === null ? {} : { referer: sender.referer }),
      ...sender.clientHints,
    };
  }
}

/** The envelope as it is sent: items untouched, `sent_at` later by the time it was held (clock drift stays true). */
async function encode(envelope: SpooledEnvelope, nowMs: number): Promise<{ body: Buffer; isGzip: boolean }> {
  const header = moveSentAt(envelope.header, nowMs - envelope.receivedAtMs);
  const body = Buffer.concat([header, Buffer.from('\n'), envelope.items]);
  if (body.length <= GZIP_ABOVE_BYTES) return { body, isGzip: false };
  return { body: await compress(body), isGzip: true };
}

function moveSentAt(line: Uint8Array, heldMs: number): Uint8Array {
  const read = readEnvelopeHeader(line);
  const sentAtMs =
    read.outcome === 'ok' && read.header.sentAt !== null ? Date.parse(read.header.sentAt) : Number.NaN;
  if (Number.isNaN(sentAtMs)) return line;
  return rewriteHeader(line, { sentAt: new Date(sentAtMs + heldMs).toISOString() });
}

function settlementOf(answer: Dispatcher.ResponseData, nowMs: number): Settlement {
  const status = answer.statusCode;
  if (status >= 200 && status < 300) return { outcome: 'delivered' };
  const reason = `status_${status}`;
  if (!RETRYABLE.has(status) && status < 500) return { outcome: 'refused', reason, status };
  const limits = status === 429 ? parseRateLimits(status, answer.headers, nowMs) : [];
  const untilMs = Math.max(0, ...limits.map((limit) => limit.untilMs - nowMs));
  return { outcome: 'retry', reason, retryAfterMs: untilMs > 0 ? untilMs : null };
}

/** A code that stays the same between failures of one kind, for counting. */
function networkReason(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'network';
  if ('name' in error && error.name === 'TimeoutError') return 'timeout';
  return 'code' in error && typeof error.code === 'string' ? error.code.toLowerCase() : 'network';
}
