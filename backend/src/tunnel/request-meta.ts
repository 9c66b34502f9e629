import type { IncomingMessage } from 'node:http';
import { parseDsn } from '../envelope/dsn.ts';
import { clientName } from '../envelope/envelope-header.ts';
import type { SenderMeta } from '../sink/queued-envelope.ts';
import type { Credentials } from './allow-list.ts';
import type { Route } from './tunnel-paths.ts';

/** Maximum length of a stored header value, characters; longer ones are truncated, as an upstream rejects them. */
const MAX_VALUE_LENGTH = 1_024;

/** Through a tunnel SDKs name their project only in the envelope (protocol A1). */
const NO_CREDENTIALS: Credentials = { projectId: null, keys: [] };
const SENTRY_SCHEME = /^sentry\s/i;
const DSN_SCHEME = /^dsn\s+(?<dsn>\S+)$/i;
/** Parameter of the project that a DSN names. */
const DSN_PROJECT = 'dsn project';
const NO_HINTS: Readonly<Record<string, string>> = {};

/** A parameter such as `sentry_key` of the query or of a header in Sentry's scheme. */
type AuthParameter = readonly [name: string, value: string];
const NO_PARAMETERS: readonly AuthParameter[] = [];

/**
 * Lists the parameters of a request: the query of the JavaScript SDKs (`?sentry_key=…`), `X-Sentry-Auth: Sentry
 * sentry_key=…` of the others, which older ones send as `Authorization` (protocol A2); a whole DSN in `Authorization: DSN …` of
 * the user-feedback API and in the query of the dialog.
 *
 * Ignores every other scheme of `Authorization`: Basic and Bearer belong to the application or to a proxy (A5).
 */
export function authParametersOf(
  { headers }: IncomingMessage,
  { accepts, query }: Route,
): readonly AuthParameter[] {
  const auth = headers['x-sentry-auth'];
  const { authorization = '' } = headers;
  if (auth === undefined && authorization === '' && query === '') return NO_PARAMETERS;
  const given = [...new URLSearchParams(query)];
  return [
    ...given,
    ...parametersIn(auth),
    ...parametersIn(SENTRY_SCHEME.test(authorization) ? authorization : undefined),
    ...partsOfDsn(DSN_SCHEME.exec(authorization)?.groups?.['dsn']),
    ...(accepts === 'dialog'
      ? given.flatMap(([name, value]) => (name === 'dsn' ? partsOfDsn(value) : []))
      : []),
  ];
}

/** Returns the key and the project of a DSN; its host is the upstream's, or this one (protocol A9). */
function partsOfDsn(text = ''): readonly AuthParameter[] {
  const dsn = parseDsn(text);
  if (dsn === undefined) return NO_PARAMETERS;
  return [
    ['sentry_key', dsn.publicKey],
    [DSN_PROJECT, dsn.projectId],
  ];
}

/** Node joins a header that is sent twice with commas. All parameters are returned, so that a second key cannot hide. */
function parametersIn(auth: string | readonly string[] | undefined): readonly AuthParameter[] {
  if (auth === undefined) return NO_PARAMETERS;
  return String(auth)
    .split(',')
    .map((pair) => /^\s*(?:sentry\s+)*(?<name>\w+)\s*=\s*(?<value>\S*)\s*$/i.exec(pair)?.groups)
    .map((groups) => [groups?.['name']?.toLowerCase() ?? '', groups?.['value'] ?? '']);
}

/** Returns what a request says about its project outside the envelope: the project id of the path, else of a DSN, and the keys (A3). */
export function credentialsOf(
  parameters: readonly AuthParameter[],
  { projectId }: Pick<Route, 'projectId'>,
): Credentials {
  const keys = parameters.filter(([name]) => name === 'sentry_key').map(([, key]) => key);
  if (projectId === null && keys.length === 0) return NO_CREDENTIALS;
  const named = parameters.find(([name]) => name === DSN_PROJECT)?.[1] ?? null;
  return { projectId: projectId ?? named, keys };
}

/**
 * Returns the stored metadata of a client: a fixed set of headers (protocol H16) without cookies and authorization (H13),
 * and `sentry_client` (H17).
 */
export function senderOf(
  { headers }: IncomingMessage,
  parameters: readonly AuthParameter[],
  { address, host }: Pick<SenderMeta, 'address' | 'host'>,
): SenderMeta {
  const client = parameters.find(([name, value]) => name === 'sentry_client' && value !== '')?.[1];
  return {
    address,
    userAgent: truncated(headers['user-agent']),
    origin: truncated(headers.origin),
    referer: truncated(headers.referer),
    host: truncated(host ?? undefined),
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
