import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import proxyAddr from 'proxy-addr';
import type { SenderMeta } from '../spool/spooled-envelope.ts';

/** How much of the sender's address may leave the tunnel (`ERRATA_CLIENT_IP`). */
export type ClientIp = 'full' | 'truncated' | 'none';

/** Longest header value kept; longer ones are cut, as an upstream would refuse them. */
const MAX_VALUE_LENGTH = 1_024;
const HINTS = ['sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform'] as const;

/** Says whether the hop with an address is one of the trusted proxies. */
export type TrustedHop = (address: string, hop: number) => boolean;

/** @param networks of the proxies in front (`ERRATA_TRUST_PROXY`). */
export function trustedHops(networks: readonly string[]): TrustedHop {
  return proxyAddr.compile([...networks]);
}

/**
 * What is kept of the sender: a fixed set. The address is the first one behind the trusted proxies; every forwarding
 * header a client sent of its own is ignored.
 */
export function senderOf(request: IncomingMessage, isTrusted: TrustedHop, clientIp: ClientIp): SenderMeta {
  const clientHints: Record<string, string> = {};
  for (const name of HINTS) {
    const value = header(request, name);
    if (value !== null) clientHints[name] = value;
  }
  return {
    address: addressOf(proxyAddr(request, isTrusted), clientIp),
    userAgent: header(request, 'user-agent'),
    origin: header(request, 'origin'),
    referer: header(request, 'referer'),
    clientHints,
  };
}

function header(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_VALUE_LENGTH) : null;
}

/** The address, its network (/24, /48), or nothing. */
function addressOf(ip: string | undefined, clientIp: ClientIp): string | null {
  if (ip === undefined || clientIp === 'none') return null;
  const plain = ip.startsWith('::ffff:') ? ip.slice('::ffff:'.length) : ip;
  if (clientIp === 'full') return plain;
  if (isIPv4(plain)) return plain.replace(/\.\d+$/, '.0');
  return isIPv6(plain) ? `${plain.split(':').slice(0, 3).join(':')}::` : null;
}
