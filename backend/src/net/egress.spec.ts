import type { LookupAddress } from 'node:dns';
import { guardedLookup, mayCall } from './egress.ts';

describe('mayCall', () => {
  it.each(['93.184.215.14', '8.8.8.8', '2606:2800:21f:cb07::1', '64:ff9b::8.8.8.8'])(
    'allows %s',
    (address) => {
      expect(mayCall(address, false)).toBe(true);
    },
  );

  it.each([
    ['this host', '0.0.0.0'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.254'],
    ['loopback', '::1'],
    ['loopback in IPv6', '::ffff:127.0.0.1'],
    ['loopback in IPv6', '::ffff:7f00:1'],
    ['private', '10.0.0.7'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['private behind NAT64', '64:ff9b::10.0.0.7'],
    ['private in a 6to4 tunnel', '2002:a00:7::1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['link-local', '169.254.1.1'],
    ['link-local', 'fe80::1'],
    ['link-local with its card', 'fe80::1%eth0'],
    ['unique local', 'fd12:3456::1'],
    ['unique local', 'fc00::1'],
    ['anycast of name servers (AS112)', '192.31.196.1'],
    ['anycast of name servers (AS112)', '192.175.48.1'],
    ['anycast of name servers (AS112)', '2620:4f:8000::1'],
    ['multicast tunnels', '192.52.193.1'],
    ['documentation', '203.0.113.7'],
    ['documentation', '2001:db8::1'],
    ['multicast', '224.0.0.1'],
    ['multicast', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['no address', 'localhost'],
  ])('refuses %s: %s', (_kind, address) => {
    expect(mayCall(address, false)).toBe(false);
  });

  it.each([
    '127.0.0.1',
    '10.0.0.7',
    '::1',
    'fd12:3456::1',
    '192.0.0.191',
    '64:ff9b:1::10.0.0.7',
    '64:ff9b:1::',
  ])('allows the private address %s where they are wanted', (address) => {
    expect([mayCall(address, false), mayCall(address, true)]).toEqual([false, true]);
  });

  it.each([
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    'fe80::a9fe:a9fe',
    'fd00:ec2::254',
    'fd00:ec2::23',
    '100.100.100.200',
    'fd00:100::100:200',
    '168.63.129.16',
    'fd20:ce::254',
    '192.0.0.192',
    'fd00:c1::a9fe:a9fe',
    'fd00:42::42',
    'fd00:a9fe:a9fe::1',
    '::ffff:169.254.169.254',
    '::ffff:6464:64c8',
    '::169.254.169.254',
    '64:ff9b::169.254.169.254',
    '64:ff9b::a83f:8110',
    '64:ff9b:1::a9fe:a9fe',
    '64:ff9b:1:2:3::169.254.170.2',
    '64:ff9b:1:ffff:ffff:ffff:c000:c0',
    '2002:a9fe:a9fe::1',
    '2002:a83f:8110::',
  ])('refuses the metadata service %s in any case', (address) => {
    expect([mayCall(address, false), mayCall(address, true)]).toEqual([false, false]);
  });
});

describe('guardedLookup', () => {
  const PUBLIC: LookupAddress = { address: '93.184.215.14', family: 4 };
  const PRIVATE: LookupAddress = { address: '10.0.0.7', family: 4 };

  function resolved(addresses: readonly LookupAddress[], all: boolean): Promise<unknown> {
    const look = guardedLookup(false, (_hostname, _options, callback) => callback(null, [...addresses]));
    return new Promise((resolve, reject) => {
      look('hooks.example', { all }, (error, found) => (error === null ? resolve(found) : reject(error)));
    });
  }

  it('returns the addresses of the name in the requested form', async () => {
    expect(await resolved([PUBLIC], true)).toEqual([PUBLIC]);
    expect(await resolved([PUBLIC], false)).toBe(PUBLIC.address);
  });

  it.each([
    ['a private address', [PRIVATE]],
    ['a private address among public ones', [PUBLIC, PRIVATE]],
  ])('refuses a name of %s', async (_kind, addresses) => {
    await expect(resolved(addresses, true)).rejects.toThrow('10.0.0.7 is not a public address');
  });

  it('fails for a name without an address', async () => {
    await expect(resolved([], true)).rejects.toThrow('hooks.example has no address');
  });
});
