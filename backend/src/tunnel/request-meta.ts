import type { IncomingMessage } from 'node:http';
import type { SenderMeta } from '../sink/queued-envelope.ts';
import type { Credentials } from './allow-list.ts';
import type { Route } from './tunnel-paths.ts';

/** Maximum length of a stored header value, characters; longer ones are truncated, as an upstream rejects them. */
const MAX_VALUE_LENGTH = 1_024;

/** Through a tunnel SDKs name their project only in the envelope (protocol A1). */
const NO_CREDENTIALS: Credentials = { projectId: null, keys: [] };
const SENTRY_SCHEME = /^sentry\s/i;
const NO_HINTS: Readonly<Record<string, string>> = {};

/**
 * Returns what a request says about its project outside the envelope: the project id of the path, `?sentry_key=…` of
 * the JavaScript SDKs, `X-Sentry-Auth: Sentry sentry_key=…` of the others, which older ones send as `Authorization`
 * (protocol A2, A3).
 *
 * Ignores every other scheme of `Authorization`: Basic and Bearer belong to the application or to a proxy (A5).
 */
export function credentialsOf({ headers }: IncomingMessage, { projectId, query }: Route): Credentials {
  const auth = headers['x-sentry-auth'];
  const authorization = SENTRY_SCHEME.test(headers.authorization ?? '') ? headers.authorization : undefined;
  if (auth === undefined && authorization === undefined && projectId === null && query === '')
    return NO_CREDENTIALS;
  const keys = [...keysOfQuery(query), ...keysOfHeader(auth ?? ''), ...keysOfHeader(authorization ?? '')];
  return { projectId, keys };
}

function keysOfQuery(query: string): readonly string[] {
  return query === '' ? [] : new URLSearchParams(query).getAll('sentry_key');
}

/** Node joins a header that is sent twice with commas. All keys are returned, so that a second key cannot hide. */
function keysOfHeader(auth: string | readonly string[]): readonly string[] {
  return String(auth)
    .replace(/^\s*sentry\s+/i, '')
    .split(',')
    .map((pair) => /^\s*(?:sentry\s+)?sentry_key\s*=\s*(?<key>[^\s]*)\s*$/i.exec(pair)?.groups?.['key'])
    .filter((key) => key !== undefined);
}

/** Returns the stored headers of a client: a fixed set (protocol H16) without cookies and authorization (H13). */
export function senderOf({ headers }: IncomingMessage, address: string | null): SenderMeta {
  return {
    address,
    userAgent: truncated(headers['user-agent']),
    origin: truncated(headers.origin),
    referer: truncated(headers.referer),
    sdk: null,
    clientHints: headers['sec-ch-ua'] === undefined ? NO_HINTS : clientHintsOf(headers),
  };
}

function clientHintsOf(headers: IncomingMessage['headers']): Readonly<Record<string, string>> {
  const hints: Record<string, string> = {};
  for (const name of ['sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform']) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') hints[name] = value.slice(0, MAX_VALUE_LENGTH);
  }
  return hints;
}

function truncated(value: string | undefined): string | null {
  if (value === undefined || value === '') return null;
  return value.length > MAX_VALUE_LENGTH ? value.slice(0, MAX_VALUE_LENGTH) : value;
}
