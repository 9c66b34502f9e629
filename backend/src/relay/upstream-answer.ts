import type { Discard } from '../outcome/outcome.ts';
import { parseRateLimits, type RateLimit } from '../envelope/rate-limits.ts';
import type { QueuedEnvelope } from '../sink/queued-envelope.ts';
import { type FailureScope, MAX_DETAIL_LENGTH, type Settlement } from '../sink/sink.ts';
import type { UpstreamResponse } from './upstream-client.ts';

/** Statuses of an upstream, or of a way to it, that accepts nothing at present; it accepts the same bytes later. */
const DOWN_STATUSES = new Set([408, 425, 502, 503, 504]);
/** Statuses of a proxy or a firewall that say nothing about the envelope. */
const SINK_STATUSES = new Set([405, 407, 410, 411, 421, 451]);
/** Statuses that reject the DSN if the upstream itself sends them: unknown key, key not allowed, unknown project. */
const DSN_STATUSES = new Set([401, 403, 404]);
/** Longest `Retry-After` that is obeyed; after it a probe checks the upstream. */
const MAX_RETRY_AFTER_MS = 5 * 60_000;

/** First byte of HTML and XML. No Sentry-compatible server accepts an envelope with such a body. */
const LESS_THAN = 0x3c;
/** First bytes of a JSON object and of an array. */
const JSON_STARTS: ReadonlySet<number | undefined> = new Set([0x7b, 0x5b]);

/** The rate limits that an answer sets, and the time of the answer, wall clock, ms. */
interface Limits {
  readonly limits: readonly RateLimit[];
  readonly nowMs: number;
}

/**
 * Returns the settlement of an envelope that an upstream, or a server in front of it, has answered (protocol H22). A
 * refusal is not final here: a server in front may have sent it.
 *
 * @param discarded items that were removed before sending.
 */
export function settlementOf(
  response: UpstreamResponse,
  envelope: QueuedEnvelope,
  discarded: readonly Discard[],
  { limits, nowMs }: Limits,
): Settlement {
  const { status } = response;
  if (status >= 200 && status < 300) {
    if (response.firstByte !== LESS_THAN) return { outcome: 'delivered', digest: null, discarded };
    return retry('unexpected_answer', 'page', response, nowMs);
  }
  if (status === 429) return rateLimited(envelope, limits);
  const failure = retry(`status_${status}`, scopeOf(response), response, nowMs);
  if (failure.scope !== 'refusal') return failure;
  return { ...failure, refusal: { status, detail: detailOf(response) } };
}

function scopeOf(response: UpstreamResponse): FailureScope {
  const { status } = response;
  if (status < 400 || DOWN_STATUSES.has(status)) return 'sink';
  if (isPage(response)) return 'page';
  if (SINK_STATUSES.has(status)) return 'sink';
  if (DSN_STATUSES.has(status)) return isJson(response) ? 'dsn' : 'page';
  return status >= 500 ? 'envelope' : 'refusal';
}

function retry(reason: string, scope: FailureScope, response: UpstreamResponse, nowMs: number) {
  const delayMs = scope === 'sink' || scope === 'page' ? retryAfterMs(response, nowMs) : null;
  const { status } = response;
  const location = locationOf(response);
  return { outcome: 'retry', reason, status, retryAfterMs: delayMs, scope, ...location } as const;
}

/** Returns where a redirect leads, without the query, which may hold secrets. */
function locationOf({ status, headers: { location } }: UpstreamResponse): { readonly location?: string } {
  if (status < 300 || status >= 400 || typeof location !== 'string') return {};
  return { location: location.replace(/[?#].*$/s, '').slice(0, MAX_DETAIL_LENGTH) };
}

/**
 * Returns the settlement of a 429. Errors, feedback and this process's own events are held and sent again after the
 * limit; other envelopes are dropped, and the upstream has counted their items.
 */
function rateLimited(
  { class: envelopeClass, source }: QueuedEnvelope,
  limits: readonly RateLimit[],
): Settlement {
  if (envelopeClass !== 0 && source !== 'own') return { outcome: 'dropped', wasSent: true };
  return { outcome: 'held', untilMs: Math.max(0, ...limits.map(({ untilMs }) => untilMs)), wasSent: true };
}

/** Returns the `Retry-After`, ms; at most {@link MAX_RETRY_AFTER_MS}, null without one. */
function retryAfterMs({ headers }: UpstreamResponse, nowMs: number): number | null {
  const [limit] = parseRateLimits(503, { 'retry-after': headers['retry-after'] }, nowMs);
  const waitMs = limit === undefined ? 0 : Math.min(limit.untilMs - nowMs, MAX_RETRY_AFTER_MS);
  return waitMs > 0 ? waitMs : null;
}

/**
 * Reports whether an error response is a web page: a firewall that dislikes a part of the content sends one with any status.
 * JSON that is declared as HTML is the upstream's.
 */
function isPage(response: UpstreamResponse): boolean {
  const { firstByte } = response;
  return firstByte === LESS_THAN || (mediaTypeOf(response) === 'text/html' && !JSON_STARTS.has(firstByte));
}

/** Reports whether a response is JSON by its content type, or without one by its first byte. */
function isJson(response: UpstreamResponse): boolean {
  const name = mediaTypeOf(response);
  if (name === '') return JSON_STARTS.has(response.firstByte);
  return name === 'application/json' || name.endsWith('+json');
}

function mediaTypeOf({ headers }: UpstreamResponse): string {
  const [line = ''] = [headers['content-type'] ?? []].flat();
  const [type = ''] = line.toLowerCase().split(';', 1);
  return type.trim();
}

function detailOf({ headers }: UpstreamResponse): string {
  const detail = headers['x-sentry-error'];
  return typeof detail === 'string' ? detail.slice(0, MAX_DETAIL_LENGTH) : '';
}
