import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import proxyAddr from 'proxy-addr';
import { mayCall } from './egress.ts';

/** Returns whether the hop with this address is a trusted proxy. */
export type TrustedHop = (address: string, hop: number) => boolean;

/** Part of the client's address that is stored and forwarded (`ERRATA_CLIENT_IP`). */
export type ClientIp = (typeof CLIENT_IPS)[number];
export const CLIENT_IPS = ['full', 'truncated', 'none'] as const;

/** Groups of the IPv6 network that a provider gives to one customer: a /64, at most a /48. */
const NETWORK_GROUPS = 4;
const SITE_GROUPS = 3;

/**
 * Headers that proxies and the sidecars of a service mesh add. Any client can write them, but a program that calls Errata
 * from its own machine has no reason to.
 */
const FORWARDING_HEADER = /^(?:x-forwarded-|(?:forwarded|via|x-real-ip)$)/;

/** The parts of a request that tell its client. */
type ClientRequest = Pick<IncomingMessage, 'headers' | 'httpVersion' | 'socket'>;

/** The sender of a request. */
export interface Client {
  readonly address: string;
  /** Whether a trusted proxy has named the address; its connections carry the requests of many clients. */
  readonly isForwarded: boolean;
  /**
   * Whether a program on the same machine has sent it, without a proxy. A forwarded address never makes it true: any client
   * can write `X-Forwarded-For: 127.0.0.1`, and a proxy passes it on.
   */
  readonly isOperator: boolean;
  /** Whether no network lies between the client and this machine, so that plain HTTP exposes nothing. */
  readonly isLocal: boolean;
}

/** What the operator has set about the network in front of Errata. */
interface NetworkInFront {
  /** Networks of the proxies (`ERRATA_TRUST_PROXY`). */
  readonly trustProxy: readonly string[];
  readonly publishedOnLoopback: boolean;
}

/** The peer, what the operator has to set, and under which condition. */
interface Warning {
  readonly peer: string;
  readonly setting?: string;
  readonly header?: string;
  readonly onlyIf?: string;
}

/**
 * A client causes the warning, too, where all have the address of a gateway, as on the published port of a container. A
 * trusted gateway would let each of them choose its address.
 */
const ONLY_IF = 'a proxy of yours has this address: any client can send the headers of one';

interface WarningLog {
  warn(fields: Warning, event: string): void;
}

/**
 * Determines the client of each request, for the tunnel and the console alike.
 *
 * A proxy on loopback passes on requests of the Internet. If all of them had the rights of this machine, they would have no
 * rate limit, no share of the memory, and sign-in over plain HTTP. So a peer that `ERRATA_TRUST_PROXY` names is no program of
 * the operator, also where it forwards no address. Any other peer on loopback is one, unless its request shows a proxy.
 */
export class Clients {
  readonly isTrusted: TrustedHop;
  readonly #isPublishedOnLoopback: boolean;
  readonly #log: WarningLog;
  readonly #warned = new Set<string>();

  /** @param log gets one line for the first proxy that is not trusted, and one for the first that forwards no address. */
  constructor({ trustProxy, publishedOnLoopback }: NetworkInFront, log: WarningLog) {
    this.isTrusted = proxyAddr.compile([...trustProxy]);
    this.#isPublishedOnLoopback = publishedOnLoopback;
    this.#log = log;
  }

  /**
   * Returns the client: the first address behind the trusted proxies. It must not use a forwarding header that the client
   * wrote itself, against forged addresses (protocol H15), nor a text that is no address.
   */
  of(request: ClientRequest): Client {
    const peer = request.socket.remoteAddress ?? '';
    const own = plain(peer);
    const isProxy = this.isTrusted(peer, 0);
    if (isProxy && request.headers['x-forwarded-for'] !== undefined) {
      const forwarded = plain(withoutPort(proxyAddr(request as IncomingMessage, this.isTrusted)));
      const address = isIP(forwarded) === 0 ? own : forwarded;
      return { address, isForwarded: true, isOperator: false, isLocal: isLoopback(forwarded) };
    }
    if (isProxy) this.#warn({ peer: own, header: 'X-Forwarded-For' }, 'proxy_forwards_no_address');
    const isDirect = !showsProxy(request);
    // Ignores public addresses: there any client could cause the warning, and the log would name it.
    if (!isProxy && !isDirect && own !== '' && !mayCall(own, false))
      this.#warn({ peer: own, setting: 'ERRATA_TRUST_PROXY', onlyIf: ONLY_IF }, 'proxy_not_trusted');
    return {
      address: own,
      isForwarded: false,
      isOperator: !isProxy && isDirect && isLoopback(own),
      isLocal: isDirect && (this.#isPublishedOnLoopback || isLoopback(own)),
    };
  }

  /**
   * Returns whether a connection may be one of many clients, or comes from this machine, so that its peer has no share of the
   * connections. No header tells it: a connection has none yet.
   */
  isOperatorPeer(peer: string): boolean {
    return this.isTrusted(peer, 0) || isLoopback(plain(peer));
  }

  #warn(fields: Warning, event: string): void {
    if (this.#warned.has(event)) return;
    this.#warned.add(event);
    this.#log.warn(fields, event);
  }
}

/**
 * Returns whether a proxy must have sent a request: by its headers, or by HTTP/1.0, which nginx before 1.29.7 sends without
 * any of them by default, and no SDK and no browser does.
 */
function showsProxy({ headers, httpVersion }: ClientRequest): boolean {
  return httpVersion === '1.0' || Object.keys(headers).some((name) => FORWARDING_HEADER.test(name));
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

/** Returns the networks of one sender: its own, and its IPv6 /48. */
export function senderNetworks(address: string): readonly string[] {
  const site = senderSite(address);
  return site === null ? [senderNetwork(address)] : [senderNetwork(address), site];
}

/** Returns the network that a provider gives to one customer at most: an IPv4 address, or an IPv6 /48. */
export function customerNetwork(address: string): string {
  return senderSite(address) ?? senderNetwork(address);
}

/** Returns whether a text is an address of loopback: `127.0.0.1` and its network, `::1`. */
export function isLoopback(text: string): boolean {
  return text === '::1' || (text.startsWith('127.') && isIPv4(text));
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
