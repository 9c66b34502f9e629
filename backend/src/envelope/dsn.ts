import { isIPv4, isIPv6 } from 'node:net';

/** A parsed Sentry DSN, without the old secret key, which no service needs. */
export interface Dsn {
  readonly scheme: 'http' | 'https';
  /** Name in lower case, IPv4 address, or IPv6 address in brackets. */
  readonly host: string;
  /** As written; null without one. {@link canonicalDsn} removes the default port. */
  readonly port: number | null;
  /** Prefix before the project, such as `/a/b`; mostly empty. */
  readonly path: string;
  /** Digits only. */
  readonly projectId: string;
  readonly publicKey: string;
  /** Set if a `/` follows the project. Part of the comparison: such a DSN matches only one with the same slash. */
  readonly hasTrailingSlash?: true;
}

/** Maximum length of a DSN, characters; those of sentry.io have about 90. */
const MAX_DSN_LENGTH = 1024;

const DEFAULT_PORT: Readonly<Record<Dsn['scheme'], number>> = { http: 80, https: 443 };

/**
 * The whole grammar. All other characters are rejected, so that no two parsers can read one DSN as two different
 * hosts: a second `@`, `?`, `#`, `\`, `%`, blanks, control characters and everything beyond ASCII. The character
 * classes of adjacent parts are disjoint, so matching takes linear time.
 */
const DSN =
  /^(?<scheme>https?):\/\/(?<key>\w+)(?::\w*)?@(?<host>[\w.-]+|\[[\da-f:.]+\])(?::(?<port>[1-9]\d{0,4}))?(?<path>(?:\/[\w.~-]+)*)\/(?<project>\d{1,20})(?<slash>\/?)$/i;

const LABEL = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/;
/** A last label with which URL parsers read the whole host as a number (WHATWG URL, "ends in a number"). */
const NUMBER_LABEL = /^(?:\d+|0x[\da-f]*)$/;

/**
 * Parses a DSN, `scheme://key[:secret]@host[:port][/path]/project`. Returns undefined for any other text.
 *
 * Scheme and host become lower case; all other parts stay as written and compare exactly. Rejects hosts that are
 * numbers in another form (`2130706433`, `0x7f.1`, `127.1`) and the path segments `.` and `..`. Protocol A6–A8; the
 * open relay that this prevents is GHSA-2rmr-xw8m-22q9.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/authentication/
 */
export function parseDsn(text: string): Dsn | undefined {
  if (text.length > MAX_DSN_LENGTH) return undefined;
  const { scheme, key, host, port, path, project, slash } = DSN.exec(text)?.groups ?? {};
  if (!scheme || !key || !host || !project || path === undefined) return undefined;
  const dsn: Dsn = {
    scheme: scheme.toLowerCase() === 'https' ? 'https' : 'http',
    host: host.toLowerCase(),
    port: port === undefined ? null : Number(port),
    path,
    projectId: project,
    publicKey: key,
    ...(slash === '/' ? { hasTrailingSlash: true } : {}),
  };
  const isValid = isHost(dsn.host) && (dsn.port ?? 0) <= 65_535 && !/\/\.\.?(?:\/|$)/.test(path);
  return isValid ? dsn : undefined;
}

/** Returns the canonical text of a DSN, without secret and default port: the key of the allow-list and of projects. */
export function canonicalDsn(dsn: Dsn): string {
  const port = dsn.port === DEFAULT_PORT[dsn.scheme] ? null : dsn.port;
  return dsnText({ ...dsn, port });
}

/** Returns the URL to which envelopes of this project are sent: `…/a/b/api/42/envelope/`. Protocol A7. */
export function envelopeUrl(dsn: Dsn): string {
  const port = dsn.port === null || dsn.port === DEFAULT_PORT[dsn.scheme] ? '' : `:${dsn.port}`;
  return `${dsn.scheme}://${dsn.host}${port}${dsn.path}/api/${dsn.projectId}/envelope/`;
}

/**
 * Returns the path to which `@sentry/browser` posts for this DSN with `tunnel: true`: `/` and, in base 36, the 32-bit
 * FNV-1a hash of the DSN without its secret (protocol H23). The SDK hashes host and port as the page writes them, so a
 * page whose DSN has capitals in its host posts to another path.
 *
 * @see https://github.com/getsentry/sentry-javascript/blob/11.12.0/packages/core/src/utils/tunnel.ts
 */
export function tunnelHashPath(dsn: Dsn): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(dsnText(dsn))) hash = Math.imul(hash ^ byte, 0x01000193);
  return `/${(hash >>> 0).toString(36)}`;
}

function dsnText({ scheme, publicKey, host, port, path, projectId, hasTrailingSlash }: Dsn): string {
  const authority = `${publicKey}@${host}${port === null ? '' : `:${port}`}`;
  return `${scheme}://${authority}${path}/${projectId}${hasTrailingSlash ? '/' : ''}`;
}

function isHost(host: string): boolean {
  if (host.startsWith('[')) return isIPv6(host.slice(1, -1));
  const labels = host.split('.');
  if (NUMBER_LABEL.test(labels.at(-1) ?? '')) return isIPv4(host);
  return host.length <= 253 && labels.every((label) => LABEL.test(label));
}
