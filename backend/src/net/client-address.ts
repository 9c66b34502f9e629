import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import proxyAddr from 'proxy-addr';

/** Says whether the hop with an address is one of the trusted proxies. */
export type TrustedHop = (address: string, hop: number) => boolean;

/** How much of the sender's address may leave the tunnel (`ERRATA_CLIENT_IP`). */
export type ClientIp = 'full' | 'truncated' | 'none';

/** Groups of an IPv6 address that one customer of a provider gets: a /64 as a network, a /48 at most. */
const NETWORK_GROUPS = 4;
const SITE_GROUPS = 3;

/** @param networks of the proxies in front (`ERRATA_TRUST_PROXY`). */
export function trustedHops(networks: readonly string[]): TrustedHop {
  return proxyAddr.compile([...networks]);
}

/**
 * Address of the client: the first one behind the trusted proxies. What a client writes into a forwarding header
 * itself is never believed (protocol H15), nor is what a proxy passes on that is no address.
 */
export function clientAddress(request: IncomingMessage, isTrusted: TrustedHop): string {
  const peer = request.socket.remoteAddress ?? '';
  // Without a proxy in front this is all, and cheaper than taking forwarding headers apart.
  if (!isTrusted(peer, 0)) return plain(peer);
  const forwarded = withoutPort(proxyAddr(request, isTrusted));
  return plain(isIP(forwarded) === 0 ? peer : forwarded);
}

/** What of an address is kept: all, its /24 or /48, or nothing. */
export function keptAddress(address: string, clientIp: ClientIp): string | null {
  if (address === '' || clientIp === 'none') return null;
  if (clientIp === 'full') return address;
  return isIPv4(address) ? address.replace(/\.\d+$/, '.0') : leadingGroups(address, SITE_GROUPS);
}

/** What counts as one sender: an IPv4 address, or a /64, of which one sender has all addresses. */
export function senderNetwork(address: string): string {
  const own = plain(address);
  return own.includes(':') ? leadingGroups(own, NETWORK_GROUPS) : own;
}

export function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}

/** An IPv4 address that came to an IPv6 socket is an IPv4 address. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}

/** Some proxies (Azure's gateway) write the port behind the address. */
function withoutPort(address: string): string {
  return (
    /^\[(?<v6>[^\]]*)\]|^(?<v4>\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.slice(1).find(Boolean) ?? address
  );
}

/** The network of the first groups: `2001:db8::1` and 3 give `2001:db8:0::`. */
function leadingGroups(address: string, count: number): string {
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const rightGroups = right.length + (right.at(-1)?.includes('.') === true ? 1 : 0);
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - rightGroups);
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right];
  return `${groups.slice(0, count).join(':')}::`;
}
