import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RejectionReason } from '../outcome/outcome.ts';
import type { AllowedProject } from './allow-list.ts';
import { allButErrors } from './back-pressure.ts';

/** Verdicts that are answered 200: committed, known by its bytes, without items, or wanted by no sink. */
type TakenOutcome = 'accepted' | 'duplicate' | 'empty' | 'no_upstream';

/** How the tunnel can answer; each is counted under its name. */
type TunnelOutcome = TakenOutcome | RejectionReason;

/** `project` is the one whose DSN was allowed, where it came so far. */
export type TunnelResponse =
  | { readonly outcome: TakenOutcome; readonly eventId: string | null; readonly project: AllowedProject }
  | {
      readonly outcome: RejectionReason;
      readonly detail: string;
      readonly project?: AllowedProject;
      /** Where it comes before the body is done with: when that is. */
      readonly bodyInUse?: Promise<unknown>;
    };

/** What goes with the verdict but is none of the intake's business. */
export interface AnswerHeaders {
  readonly cors: Readonly<Record<string, string>>;
  /** Text for `X-Sentry-Rate-Limits`; null where nothing is limited. */
  readonly pressure: string | null;
  /** Told with a 429, seconds. */
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

/** Told with a 503: long enough for a full group commit and a worker's restart, short enough to lose nobody. */
const UNAVAILABLE_SECONDS = 5;

/** Every method the tunnel has. */
const ALLOW = 'POST, OPTIONS';

/**
 * Writes the answer as Sentry's SDKs and Relay have it: `{"id"}` or `{"detail","causes"}` with `X-Sentry-Error`.
 * Source: getsentry/relay relay-server/src/utils/api.rs; develop.sentry.dev, "Envelopes". Protocol H6–H9, H19.
 */
export function sendTunnelResponse(
  request: IncomingMessage,
  response: ServerResponse,
  answer: TunnelResponse,
  { cors, pressure, retryAfterSeconds }: AnswerHeaders,
): void {
  const body = 'detail' in answer ? errorBody(answer.detail) : idBody(answer.eventId);
  const headers: Record<string, string | number> = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...cors,
  };
  if ('detail' in answer) addRefusalHeaders(headers, answer, retryAfterSeconds);
  if (pressure !== null)
    headers['x-sentry-rate-limits'] = withLimits(headers['x-sentry-rate-limits'], pressure);
  if (request.complete) response.writeHead(STATUS[answer.outcome], headers).end(body);
  else
    sendInMidBody(
      request,
      response.writeHead(STATUS[answer.outcome], { ...headers, connection: 'close' }),
      body,
    );
}

/** The answer to a preflight, and to anybody who asks what can be done here. */
export function sendOptions(response: ServerResponse, cors: Readonly<Record<string, string>>): void {
  response.writeHead(204, { allow: ALLOW, 'cache-control': 'no-store', ...cors }).end();
}

/** A refusal as the SDKs read it; the front door writes the same for what Node's parser refuses. */
export function errorBody(detail: string): string {
  return JSON.stringify({ detail, causes: [] });
}

function idBody(eventId: string | null): string {
  return eventId === null ? '{}' : `{"id":"${eventId}"}`;
}

/**
 * A limit is always named in full. With `Retry-After` or a 429 alone the JavaScript SDKs would stop everything,
 * errors included, and drop them (@sentry/core, `updateRateLimits`).
 */
function addRefusalHeaders(
  headers: Record<string, string | number>,
  { outcome, detail }: Extract<TunnelResponse, { readonly detail: string }>,
  retryAfterSeconds: number,
): void {
  headers['x-sentry-error'] = detail;
  if (outcome === 'method') headers['allow'] = ALLOW;
  if (outcome !== 'unavailable' && outcome !== 'rate_limited') return;
  const seconds = outcome === 'unavailable' ? UNAVAILABLE_SECONDS : retryAfterSeconds;
  headers['retry-after'] = String(seconds);
  headers['x-sentry-rate-limits'] = allButErrors(seconds, `errata_${outcome}`);
}

function withLimits(own: string | number | undefined, pressure: string): string {
  return own === undefined ? pressure : `${own}, ${pressure}`;
}

/** After a refusal in mid-body so much more is read and thrown away, so that the sender gets to read the answer. */
const DISCARDED_BYTES = 4 * 2 ** 20;
/** A sender from which nothing came for so long has stopped to read the answer, or is gone. */
const DISCARD_IDLE_MS = 2_000;

/**
 * Sends the whole answer and ends it only once the sender has ended, too. Closing while its bytes still come would
 * reset the connection and take the answer with it (RFC 9112, 9.6).
 */
function sendInMidBody(request: IncomingMessage, response: ServerResponse, body: string): void {
  response.write(body);
  let discardedBytes = 0;
  let sinceLook = 0;
  const end = (): void => {
    clearInterval(watch);
    response.end();
  };
  const watch = setInterval(() => {
    if (sinceLook === 0) end();
    sinceLook = 0;
  }, DISCARD_IDLE_MS).unref();
  request.on('data', (chunk: Buffer) => {
    sinceLook += chunk.length;
    discardedBytes += chunk.length;
    if (discardedBytes > DISCARDED_BYTES) end();
  });
  request.once('end', end);
  request.once('close', end);
  request.resume();
}
