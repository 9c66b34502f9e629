import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import proxyAddr from 'proxy-addr';

/** Returns whether the hop with this address is a trusted proxy. */
export type TrustedHop = (address: string, hop: number) => boolean;

/** Part of the client's address that is stored and forwarded (`ERRATA_CLIENT_IP`). */
export type ClientIp = (typeof CLIENT_IPS)[number];
export const CLIENT_IPS = ['full', 'truncated', 'none'] as const;

/** Groups of the IPv6 network that a provider gives to one customer: a /64, at most a /48. */
const NETWORK_GROUPS = 4;
const SITE_GROUPS = 3;

/** Returns a check for trusted proxies. @param networks of the proxies in front (`ERRATA_TRUST_PROXY`). */
export function trustedHops(networks: readonly string[]): TrustedHop {
  return proxyAddr.compile([...networks]);
}

/** The sender of a request. */
export interface Client {
  readonly address: string;
  /**
   * Whether the connection itself comes from the same machine or from a trusted proxy. A forwarded address
   * never makes it true: any client can write `X-Forwarded-For: 127.0.0.1`, and a proxy passes it on.
   */
  readonly isOperator: boolean;
}

/**
 * Returns the client: the first address behind the trusted proxies. It must not use a forwarding header that the client
 * wrote itself, against forged addresses (protocol H15), nor a text that is no address.
 */
export function clientOf(request: IncomingMessage, isTrusted: TrustedHop): Client {
  const peer = request.socket.remoteAddress ?? '';
  // The common case without a proxy, which is cheaper than parsing forwarding headers.
  if (!isTrusted(peer, 0)) return { address: plain(peer), isOperator: isLoopback(plain(peer)) };
  if (request.headers['x-forwarded-for'] === undefined) return { address: plain(peer), isOperator: true };
  const forwarded = withoutPort(proxyAddr(request, isTrusted));
  return { address: plain(isIP(forwarded) === 0 ? peer : forwarded), isOperator: false };
}

/** Returns the address to store: complete, its /24 or /48, or null. */
export function keptAddress(address: string, clientIp: ClientIp): string | null {
  if (address === '' || clientIp === 'none') return null;
  if (clientIp === 'full') return address;
  return isIPv4(address) ? address.replace(/\.\d+$/, '.0') : leadingGroups(address, SITE_GROUPS);
}

/** Returns the network that counts as one sender: an IPv4 address, or an IPv6 /64, whose addresses one client can all use. */
export function senderNetwork(address: string): string {
  const own = plain(address);
  return own.includes(':') ? leadingGroups(own, NETWORK_GROUPS) : own;
}

/** Returns the IPv6 /48 of an address, with up to 65,536 sender networks of one customer; null for IPv4. */
export function senderSite(address: string): string | null {
  const own = plain(address);
  return own.includes(':') ? leadingGroups(own, SITE_GROUPS) : null;
}

/** Returns whether a connection comes from the same machine or from a trusted proxy. */
export function isOperatorPeer(peer: string, isTrusted: TrustedHop): boolean {
  return isTrusted(peer, 0) || isLoopback(plain(peer));
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}

/** Returns the IPv4 address of an IPv4-mapped one, as IPv6 sockets report it. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
}

/** Removes the port that some proxies (Azure's gateway) append to the address. */
function withoutPort(address: string): string {
  return (
    /^\[(?<v6>[^\]]*)\]|^(?<v4>\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.slice(1).find(Boolean) ?? address
  );
}

/** Returns the network of the first groups: `2001:db8:0::` for `2001:db8::1` and 3. */
function leadingGroups(address: string, count: number): string {
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const rightGroups = right.length + (right.at(-1)?.includes('.') === true ? 1 : 0);
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - rightGroups);
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right];
  return `${groups.slice(0, count).join(':')}::`;
}
