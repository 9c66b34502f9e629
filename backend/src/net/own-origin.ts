import type { IncomingMessage } from 'node:http';
import type { TrustedHop } from './client-address.ts';

/** The parts of a request that {@link requestedHost} reads. */
type OriginRequest = Pick<IncomingMessage, 'headers'> & {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
};

/**
 * Returns whether the Origin header names the host that the browser has requested. Against cross-site request forgery by
 * browsers without Sec-Fetch-Site, for the tunnel and the console alike: no page can forge the header.
 */
export function isOwnOrigin(request: OriginRequest, isTrusted: TrustedHop): boolean {
  return isOnHost(request.headers.origin ?? '', requestedHost(request, isTrusted));
}

/**
 * Returns whether a URL is of a host. The scheme is not compared, because not every TLS proxy forwards it; it only decides which
 * port is the default one.
 */
export function isOnHost(url: string, host: string | null): boolean {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.host === '' || host === null) return false;
  return URL.parse(`${parsed.protocol}//${host}`)?.host === parsed.host;
}

/**
 * Returns the host, with its port, that the browser has requested. A proxy may have replaced Host, so X-Forwarded-Host counts if
 * a proxy of ERRATA_TRUST_PROXY sent it.
 */
function requestedHost({ headers, socket }: OriginRequest, isTrusted: TrustedHop): string | null {
  const forwarded = headers['x-forwarded-host'];
  const isForwarded = forwarded !== undefined && isTrusted(socket.remoteAddress ?? '', 0);
  const host = isForwarded ? String(forwarded).split(',', 1)[0]?.trim() : headers.host;
  return host === undefined || host === '' ? null : host;
}

/**
 * Returns the host by which a browser knows this server: that of its own origin where the browser says that both are the same, which
 * no proxy changes, else the requested one.
 */
export function knownHost(request: OriginRequest, isTrusted: TrustedHop): string | null {
  const { origin = '', 'sec-fetch-site': site } = request.headers;
  const ofPage = site === 'same-origin' ? URL.parse(origin)?.host : undefined;
  return ofPage ?? requestedHost(request, isTrusted);
}
