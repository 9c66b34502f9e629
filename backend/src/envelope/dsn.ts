import { isIPv4, isIPv6 } from 'node:net';

/** A Sentry DSN in its parts; the old secret key is dropped, nobody needs it. */
export interface Dsn {
  readonly scheme: 'http' | 'https';
  /** Lower-case name, IPv4 address, or IPv6 address in brackets. */
  readonly host: string;
  /** As written, null where the DSN has none; the default port counts as none in {@link canonicalDsn}. */
  readonly port: number | null;
  /** Prefix before the project, such as `/a/b`; empty for most. */
  readonly path: string;
  /** Digits. */
  readonly projectId: string;
  readonly publicKey: string;
  /** There and true where a `/` follows the project: part of the comparison, so that only its like matches. */
  readonly hasTrailingSlash?: true;
}

/** Longest DSN, characters; those of sentry.io have about 90. */
const MAX_DSN_LENGTH = 1024;

const DEFAULT_PORT: Readonly<Record<Dsn['scheme'], number>> = { http: 80, https: 443 };

/**
 * The whole grammar. What is not listed here is refused, so that no two parsers can read a DSN as two hosts: a second
 * `@`, `?`, `#`, `\`, `%`, blanks, control characters and everything beyond ASCII. The classes of neighbouring parts
 * are disjoint, so matching takes linear time.
 */
const DSN =
  /^(?<scheme>https?):\/\/(?<key>\w+)(?::\w*)?@(?<host>[\w.-]+|\[[\da-f:.]+\])(?::(?<port>[1-9]\d{0,4}))?(?<path>(?:\/[\w.~-]+)*)\/(?<project>\d{1,20})(?<slash>\/?)$/i;

const LABEL = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/;
/** A last label that makes URL parsers read the whole host as a number (WHATWG URL, "ends in a number"). */
const NUMBER_LABEL = /^(?:\d+|0x[\da-f]*)$/;

/**
 * Reads a DSN, `scheme://key[:secret]@host[:port][/path]/project`, or answers undefined.
 *
 * Only scheme and host lose their case; everything else stays as written and compares exactly. Hosts that are
 * numbers in another guise (`2130706433`, `0x7f.1`, `127.1`) and path segments `.` and `..` are refused.
 * Protocol A6–A8; the open relay it prevents is GHSA-2rmr-xw8m-22q9.
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
  const isGood = isHost(dsn.host) && (dsn.port ?? 0) <= 65_535 && !/\/\.\.?(?:\/|$)/.test(path);
  return isGood ? dsn : undefined;
}

/**
 * The one spelling of a DSN: no secret, no default port. Key of the allow-list and `project` of a spool row.
 */
export function canonicalDsn(dsn: Dsn): string {
  const port = dsn.port === DEFAULT_PORT[dsn.scheme] ? null : dsn.port;
  return dsnText({ ...dsn, port });
}

/** Where a service takes envelopes of this project: `…/a/b/api/42/envelope/`. Protocol A7. */
export function envelopeUrl(dsn: Dsn): string {
  const port = dsn.port === null || dsn.port === DEFAULT_PORT[dsn.scheme] ? '' : `:${dsn.port}`;
  return `${dsn.scheme}://${dsn.host}${port}${dsn.path}/api/${dsn.projectId}/envelope/`;
}

/**
 * The path to which `@sentry/browser` with `tunnel: true` posts for this DSN: `/` and, in base 36, the 32-bit FNV-1a
 * hash of the DSN without its secret (protocol 2). The SDK hashes host and port as the page has them, so a page whose
 * DSN has capitals in its host posts elsewhere.
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
