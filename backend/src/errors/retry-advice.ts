import type { Request, Response } from 'express';
import type { Problem } from '../contract/problem.ts';
import { validRequestId } from '../telemetry/request-log.ts';

const TOO_MANY_REQUESTS = 429;
/** Bad Gateway, Service Unavailable, Gateway Timeout: the same request may succeed in a few seconds. */
const SHORT: ReadonlySet<number> = new Set([502, 503, 504]);
/** A repeat of such a request has no further effect (RFC 9110, section 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);
/** Bounds of `Retry-After`, seconds: a crashed thread is back within 10 s, a restarted database usually as well. */
const [MIN_S, MAX_S] = [5, 10];

/** Returns the id that the application has given the request, else that of a proxy or a client. */
export function requestIdOf(request: Request): string | null {
  if ('id' in request && typeof request.id === 'string') return request.id;
  return validRequestId(request.headers['x-request-id']);
}

/**
 * Returns the members of the problem details that name the request and say whether and when to repeat it. A 502, 503 or 504
 * without `Retry-After` gets one, drawn for each response: clients that failed together do not return together.
 */
export function retryAdvice(
  request: Request,
  response: Response,
  status: number,
  random: () => number,
): Pick<Problem, 'request_id' | 'retryable' | 'retry_after'> {
  if (SHORT.has(status) && !response.hasHeader('Retry-After')) {
    response.set('Retry-After', String(MIN_S + Math.floor(random() * (MAX_S - MIN_S + 1))));
  }
  const id = requestIdOf(request);
  const seconds = secondsOf(response.get('Retry-After'));
  const isAdvised = status === TOO_MANY_REQUESTS || status >= 500;
  const isShort = status === TOO_MANY_REQUESTS || SHORT.has(status);
  return {
    ...(id !== null && { request_id: id }),
    ...(isAdvised && { retryable: isShort && IDEMPOTENT.has(request.method) }),
    ...(seconds !== null && { retry_after: seconds }),
  };
}

/** Returns the seconds of a `Retry-After`, which may be a date (RFC 9110, section 10.2.3); null without a readable one. */
function secondsOf(header: string | undefined): number | null {
  if (header === undefined) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
}
