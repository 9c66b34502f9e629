import type { IncomingMessage } from 'node:http';
import type { TrustedHop } from './client-address.ts';

/** The parts of a request that {@link isOwnOrigin} reads. */
type OriginRequest = Pick<IncomingMessage, 'headers'> & {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
};

/**
 * Returns whether the Origin header names the host that the browser has requested. Against cross-site request forgery by
 * browsers without Sec-Fetch-Site, for the tunnel and the console alike: no page can forge the header.
 *
 * A proxy may have replaced Host, so X-Forwarded-Host counts if a proxy of ERRATA_TRUST_PROXY sent it. The scheme is not
 * compared, because not every TLS proxy forwards it; it only decides which port is the default one.
 */
export function isOwnOrigin({ headers, socket }: OriginRequest, isTrusted: TrustedHop): boolean {
  const origin = URL.parse(headers.origin ?? '');
  if (origin === null || origin.host === '') return false;
  const forwarded = headers['x-forwarded-host'];
  const isForwarded = forwarded !== undefined && isTrusted(socket.remoteAddress ?? '', 0);
  const host = isForwarded ? String(forwarded).split(',', 1)[0]?.trim() : headers.host;
  return URL.parse(`${origin.protocol}//${host ?? ''}`)?.host === origin.host;
}
