import type { IncomingMessage } from 'node:http';
import type { SenderMeta } from '../sink/queued-envelope.ts';
import type { Credentials } from './allow-list.ts';
import type { Route } from './tunnel-paths.ts';

/** Through a tunnel the SDKs name their project in the envelope only (protocol A1). */
const NONE: Credentials = { projectId: null, keys: [] };

/**
 * What a request says of its project beside the envelope: the path's project id, `?sentry_key=…` of the
 * JavaScript SDKs, `X-Sentry-Auth: Sentry sentry_key=…` of the others (protocol A2, A3).
 *
 * The application's own `Authorization` is not read: Basic and Bearer there are somebody else's (A5).
 */
export function credentialsOf({ headers }: IncomingMessage, { projectId, query }: Route): Credentials {
  const auth = headers['x-sentry-auth'];
  if (auth === undefined && projectId === null && query === '') return NONE;
  return { projectId, keys: [...keysOfQuery(query), ...keysOfHeader(auth ?? '')] };
}

function keysOfQuery(query: string): readonly string[] {
  return query === '' ? [] : new URLSearchParams(query).getAll('sentry_key');
}

/** A header sent twice comes as one, joined by commas, so that a second key cannot hide. */
function keysOfHeader(auth: string | readonly string[]): readonly string[] {
  return String(auth)
    .replace(/^\s*sentry\s+/i, '')
    .split(',')
    .map((pair) => /^\s*(?:sentry\s+)?sentry_key\s*=\s*(?<key>[^\s]*)\s*$/i.exec(pair)?.groups?.['key'])
    .filter((key) => key !== undefined);
}

/** Longest header value kept; longer ones are cut, as an upstream would refuse them. */
const MAX_VALUE_LENGTH = 1_024;

const NO_HINTS: Readonly<Record<string, string>> = {};

/** What is kept of the sender: a fixed set (protocol H16); its cookies and its authorization are not in it (H13). */
export function senderOf({ headers }: IncomingMessage, address: string | null): SenderMeta {
  return {
    address,
    userAgent: cut(headers['user-agent']),
    origin: cut(headers.origin),
    referer: cut(headers.referer),
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

function cut(value: string | undefined): string | null {
  if (value === undefined || value === '') return null;
  return value.length > MAX_VALUE_LENGTH ? value.slice(0, MAX_VALUE_LENGTH) : value;
}
