import type { IncomingMessage, ServerResponse } from 'node:http';
import { REJECTION_REASONS, type RejectionReason } from '../outcome/outcome.ts';
import type { AllowedProject } from './allow-list.ts';
import { allButErrors } from './back-pressure.ts';
import { LEAST_BYTES_PER_SECOND } from './body-pace.ts';

/** Outcomes with status 200: committed, a duplicate, an envelope without items, or one that no sink wants. */
const ACCEPTED_OUTCOMES = ['accepted', 'duplicate', 'empty', 'no_upstream'] as const;

type AcceptedOutcome = (typeof ACCEPTED_OUTCOMES)[number];

export const TUNNEL_OUTCOMES = [...ACCEPTED_OUTCOMES, ...REJECTION_REASONS] as const;

export type TunnelOutcome = (typeof TUNNEL_OUTCOMES)[number];

/** A request that the tunnel does not accept. */
export interface Rejection {
  readonly outcome: RejectionReason;
  /** Text for the client, as `detail` and `X-Sentry-Error`. */
  readonly detail: string;
  readonly project?: AllowedProject;
  /** The DSN that is not allowed, with the start of its key. */
  readonly rejectedDsn?: string;
  /** Set when the body is still in use after the response; settles when it is not. */
  readonly bodyInUse?: Promise<unknown>;
  /** Whether more envelopes wait for a commit than the spool can take. */
  readonly isOverload?: boolean;
}

/** The tunnel's decision on a request. Each outcome has its own counter; `project` is set once a DSN was allowed. */
export type TunnelResponse =
  | { readonly outcome: AcceptedOutcome; readonly eventId: string | null; readonly project: AllowedProject }
  | Rejection;

/** Headers of a response that do not follow from the decision. */
export interface ResponseContext {
  readonly cors: Readonly<Record<string, string>>;
  /** Text for `X-Sentry-Rate-Limits`; null without a limit. */
  readonly pressure: string | null;
  /** `Retry-After` of a 429, seconds. */
  readonly retryAfterSeconds: number;
}

const STATUS: Readonly<Record<TunnelOutcome, number>> = {
  accepted: 200,
  duplicate: 200,
  empty: 200,
  no_upstream: 200,
  malformed: 400,
  not_allowed: 403,
  cross_site: 403,
  method: 405,
  too_large: 413,
  coding: 415,
  unavailable: 503,
  aborted: 400,
  timeout: 408,
  rate_limited: 429,
};

/** `Retry-After` of a 503: time for a group commit or a worker's restart, and short enough for SDKs to retry. */
export const UNAVAILABLE_SECONDS = 5;

/**
 * Writes the response in the form of Sentry's SDKs and Relay: `{"id"}`, or `{"detail","causes"}` with `X-Sentry-Error`.
 * Source: getsentry/relay relay-server/src/utils/api.rs; develop.sentry.dev, "Envelopes". Protocol H6–H9, H19.
 */
export function sendTunnelResponse(
  request: IncomingMessage,
  response: ServerResponse,
  result: TunnelResponse,
  { cors, pressure, retryAfterSeconds }: ResponseContext,
): void {
  const body = 'detail' in result ? errorBody(result.detail) : idBody(result.eventId);
  const headers: Record<string, string | number> = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...cors,
  };
  if ('detail' in result) addRejectionHeaders(headers, result, retryAfterSeconds);
  if (pressure !== null) headers['x-sentry-rate-limits'] = joined(headers['x-sentry-rate-limits'], pressure);
  if (request.complete) {
    response.writeHead(STATUS[result.outcome], headers).end(body);
  } else if (result.outcome === 'timeout') {
    // Its bytes come too slowly to wait for more of them.
    response.writeHead(STATUS.timeout, { ...headers, connection: 'close' }).end(body);
  } else {
    response.writeHead(STATUS[result.outcome], { ...headers, connection: 'close' }).write(body);
    afterBody(request, () => response.end());
  }
}

/** Sends the response to a preflight, or to an OPTIONS request without an origin. */
export function sendOptions(response: ServerResponse, cors: Readonly<Record<string, string>>): void {
  response.writeHead(204, { 'cache-control': 'no-store', ...cors }).end();
}

/** Returns an error body in the form that SDKs read; app/ uses it for requests that Node's parser rejects. */
export function errorBody(detail: string): string {
  return JSON.stringify({ detail, causes: [] });
}

function idBody(eventId: string | null): string {
  return eventId === null ? '{}' : `{"id":"${eventId}"}`;
}

/**
 * Always names the limited categories. With `Retry-After` or a 429 alone the JavaScript SDKs would pause everything,
 * errors included, and drop them (@sentry/core, `updateRateLimits`).
 */
function addRejectionHeaders(
  headers: Record<string, string | number>,
  { outcome, detail }: Rejection,
  retryAfterSeconds: number,
): void {
  headers['x-sentry-error'] = detail;
  if (outcome !== 'unavailable' && outcome !== 'rate_limited') return;
  const seconds = outcome === 'unavailable' ? UNAVAILABLE_SECONDS : retryAfterSeconds;
  headers['retry-after'] = String(seconds);
  headers['x-sentry-rate-limits'] = allButErrors(seconds, `errata_${outcome}`);
}

function joined(limits: string | number | undefined, pressure: string): string {
  return limits === undefined ? pressure : `${limits}, ${pressure}`;
}

/** Bytes of a rejected body that are read and discarded, so that the client gets to read the response. */
const MAX_DISCARDED_BYTES = 4 * 2 ** 20;
/** Interval of the checks for clients that have stopped to read the response, have disconnected, or drip. */
const DISCARD_CHECK_MS = 2_000;
const DISCARD_LEAST_BYTES = (LEAST_BYTES_PER_SECOND * DISCARD_CHECK_MS) / 1_000;

/**
 * Discards the rest of a body, and ends the response that is sent when the client has stopped sending. To close the
 * connection while bytes still arrive would reset it, and the client would lose the response (RFC 9112, 9.6).
 *
 * @param endResponse may be called several times.
 */
export function afterBody(request: IncomingMessage, endResponse: () => void): void {
  let discardedBytes = 0;
  let sinceCheckBytes = 0;
  const end = (): void => {
    clearInterval(check);
    endResponse();
  };
  const check = setInterval(() => {
    if (sinceCheckBytes < DISCARD_LEAST_BYTES) end();
    sinceCheckBytes = 0;
  }, DISCARD_CHECK_MS).unref();
  request.on('data', (chunk: Buffer) => {
    sinceCheckBytes += chunk.length;
    discardedBytes += chunk.length;
    if (discardedBytes > MAX_DISCARDED_BYTES) end();
  });
  request.once('end', end);
  request.once('close', end);
  request.resume();
}
