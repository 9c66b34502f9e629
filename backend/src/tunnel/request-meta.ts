import type { IncomingMessage } from 'node:http';
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
