import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RefusalReason } from '../outcome/outcome.ts';

/** Verdicts that are answered 200: committed, without items, or wanted by no sink. */
type TakenOutcome = 'accepted' | 'empty' | 'no_upstream';

/** How the tunnel can answer; each is counted under its name. */
type TunnelOutcome = TakenOutcome | RefusalReason;

export type TunnelAnswer =
  | { readonly outcome: TakenOutcome; readonly eventId: string | null }
  | { readonly outcome: RefusalReason; readonly detail: string };

const STATUS: Readonly<Record<TunnelOutcome, number>> = {
  accepted: 200,
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
const RETRY_AFTER_SECONDS = '5';
/** After a refusal in mid-body the sender's remaining bytes are thrown away this long, so that it reads the answer. */
const LINGER_MS = 1_000;

/**
 * Writes the answer as Sentry's SDKs and Relay have it: `{"id"}` or `{"detail","causes"}` with `X-Sentry-Error`.
 * Source: getsentry/relay relay-server/src/utils/api.rs; develop.sentry.dev, "Envelopes".
 */
export function sendTunnelAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: TunnelAnswer,
): void {
  const body = JSON.stringify(
    'detail' in answer ? { detail: answer.detail, causes: [] } : idOf(answer.eventId),
  );
  const headers: Record<string, string | number> = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  if ('detail' in answer) headers['x-sentry-error'] = answer.detail;
  if (answer.outcome === 'unavailable') headers['retry-after'] = RETRY_AFTER_SECONDS;
  if (answer.outcome === 'method') headers['allow'] = 'POST';
  if (!request.complete) {
    headers['connection'] = 'close';
    discardRest(request);
  }
  response.writeHead(STATUS[answer.outcome], headers).end(body);
}

function idOf(eventId: string | null): { readonly id?: string } {
  return eventId === null ? {} : { id: eventId };
}

function discardRest(request: IncomingMessage): void {
  request.resume();
  setTimeout(() => request.socket.destroy(), LINGER_MS).unref();
}
