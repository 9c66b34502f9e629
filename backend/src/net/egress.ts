import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * Restricts the addresses that alerts connect to. Its URL is a setting, but the owner of its DNS zone decides which
 * address the name resolves to: 127.0.0.1 or a cloud's metadata service would turn an alert against Errata's own network
 * (server-side request forgery). A name is therefore resolved once for each connection, every address is checked, and the
 * connection uses only these addresses: a second DNS answer (DNS rebinding) is never requested.
 */

/** An alert must not connect to this address. The message is for the log. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';

  constructor(address: string) {
    super(`${address} is not a public address (private=on allows private ones)`);
  }
}

/** Special, multicast and reserved networks. @see https://www.iana.org/assignments/iana-ipv4-special-registry/ */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/** Prefix of IPv4 addresses in networks without IPv4 (NAT64, RFC 6052); the IPv4 address is in the last 32 bits. */
const NAT64 = '64:ff9b::';
const NAT64_BITS = 96;
/**
 * Networks choose their own NAT64 prefix in it, which may lead to private IPv4 addresses (RFC 8215). Only prefixes of 96 bits
 * are recognised: the IPv4 address is in the last 32 bits.
 */
const LOCAL_NAT64 = '64:ff9b:1::/48';
/** Prefix of deprecated IPv4-compatible addresses (RFC 4291, section 2.5.5.1), which some systems still route. */
const COMPATIBLE = '::';
const COMPATIBLE_BITS = 96;
/** 6to4 has the IPv4 address behind 2002::/16 (RFC 3056, section 2). */
const SIX_TO_FOUR_BITS = 16;
/** IPv6 networks of the Internet. SPECIAL_IPV6 are the exceptions in them: tunnels to IPv4 and documentation. */
const GLOBAL_IPV6 = ['2000::/3', `${NAT64}/${NAT64_BITS}`];
/** @see https://www.iana.org/assignments/iana-ipv6-special-registry/ */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];
/**
 * Networks of metadata services, which return credentials to any client: link-local ones of all clouds (169.254.169.254,
 * AWS's 169.254.170.2 and .23), then those of one cloud.
 */
const METADATA = [
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::/32', // AWS
  '100.100.100.200/32', // Alibaba
  'fd00:100::100:200/128', // Alibaba
  '168.63.129.16/32', // Azure
  'fd20:ce::254/128', // Google
  '192.0.0.192/32', // Oracle
  'fd00:c1::a9fe:a9fe/128', // Oracle
  'fd00:42::42/128', // Scaleway
  'fd00:a9fe:a9fe::1/128', // Linode
];

const special = blockList([...SPECIAL_IPV4, ...SPECIAL_IPV6]);
const globalIpv6 = blockList(GLOBAL_IPV6);
const localNat64 = blockList([LOCAL_NAT64]);
const metadata = blockList(METADATA);

/** A BlockList also finds IPv4 networks by their IPv4-mapped addresses. The other IPv6 forms are added here. */
function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const prefix = Number(bits);
    list.addSubnet(address, prefix, familyOf(address));
    if (isIP(address) !== 4) continue;
    list.addSubnet(NAT64 + address, NAT64_BITS + prefix, 'ipv6');
    list.addSubnet(COMPATIBLE + address, COMPATIBLE_BITS + prefix, 'ipv6');
    list.addSubnet(sixToFour(address), SIX_TO_FOUR_BITS + prefix, 'ipv6');
  }
  return list;
}

/** Returns the 6to4 network of an IPv4 address: `2002:a9fe:a9fe::` for 169.254.169.254. */
function sixToFour(address: string): string {
  const hex = address.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
  return `2002:${hex[0]}${hex[1]}:${hex[2]}${hex[3]}::`;
}

/** Returns an address of {@link LOCAL_NAT64} in the well-known form: `64:ff9b::a9fe:a9fe` for `64:ff9b:1:2::a9fe:a9fe`. */
function wellKnownNat64(address: string): string {
  // A URL writes it in hexadecimal groups; one between two colons is 0.
  const [high, low] = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':').slice(-2);
  return `${NAT64}${high || '0'}:${low || '0'}`;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Returns whether an alert may connect to an address. @param address an IP address; any other text is refused. */
export function mayCall(address: string, allowsPrivate: boolean): boolean {
  // A scope names a network interface, so such an address is never public.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const family = familyOf(address);
  const reached = localNat64.check(address, family) ? wellKnownNat64(address) : address;
  if (metadata.check(reached, family)) return false;
  if (allowsPrivate) return true;
  // An IPv4-mapped address (::ffff:10.0.0.1) is outside the global networks.
  return !special.check(address, family) && (family === 'ipv4' || globalIpv6.check(address, family));
}

/** Returns whether an alert may have this URL: connections to an IP address in it need no name resolution to check. */
export function mayReach({ hostname }: URL, allowsPrivate: boolean): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 || mayCall(host, allowsPrivate);
}

/** Resolves a name to all its addresses. */
export type Resolve = (
  hostname: string,
  options: { readonly all: true; readonly family?: number },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Returns a `lookup` for connections that fails when one of the name's addresses is refused: a public service has none. */
export function guardedLookup(allowsPrivate: boolean, resolve: Resolve = lookup): LookupFunction {
  return (hostname, { family, all }, callback) => {
    const wanted = typeof family === 'number' ? { family } : {};
    resolve(hostname, { ...wanted, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      const refused = addresses?.find(({ address }) => !mayCall(address, allowsPrivate));
      if (error !== null) callback(error, []);
      else if (refused !== undefined) callback(new EgressRefused(refused.address), []);
      else if (first === undefined) callback(new Error(`${hostname} has no address`), []);
      else if (all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
