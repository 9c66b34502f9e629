import type { IncomingMessage } from 'node:http';
import { clientName } from '../envelope/envelope-header.ts';
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
export function credentialsOf(request: IncomingMessage, { projectId, query }: Route): Credentials {
  const keys = namedValues(request, query, 'sentry_key');
  return projectId === null && keys.length === 0 ? NO_CREDENTIALS : { projectId, keys };
}

/** Returns the values of a name in the query and in the headers of Sentry's scheme. */
function namedValues({ headers }: IncomingMessage, query: string, name: string): readonly string[] {
  const auth = headers['x-sentry-auth'];
  const authorization = SENTRY_SCHEME.test(headers.authorization ?? '') ? headers.authorization : undefined;
  if (auth === undefined && authorization === undefined && query === '') return [];
  const inQuery = query === '' ? [] : new URLSearchParams(query).getAll(name);
  return [...inQuery, ...valuesOfHeader(auth, name), ...valuesOfHeader(authorization, name)];
}

/** Node joins a header that is sent twice with commas. All values are returned, so that a second key cannot hide. */
function valuesOfHeader(auth: string | readonly string[] | undefined, name: string): readonly string[] {
  if (auth === undefined) return [];
  return String(auth)
    .split(',')
    .map((pair) => /^\s*(?:sentry\s+)*(?<name>\w+)\s*=\s*(?<value>\S*)\s*$/i.exec(pair)?.groups)
    .filter((groups) => groups?.['name']?.toLowerCase() === name)
    .map((groups) => groups?.['value'] ?? '');
}

/**
 * Returns the stored metadata of a client: a fixed set of headers (protocol H16) without cookies and authorization (H13),
 * and `sentry_client` (H17).
 */
export function senderOf(request: IncomingMessage, { query }: Route, address: string | null): SenderMeta {
  const { headers } = request;
  const client = namedValues(request, query, 'sentry_client').find((value) => value !== '');
  return {
    address,
    userAgent: truncated(headers['user-agent']),
    origin: truncated(headers.origin),
    referer: truncated(headers.referer),
    sdk: client === undefined ? null : clientName(client),
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
