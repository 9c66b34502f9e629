import type { Socket } from 'node:net';
import { Clients, keptAddress, senderNetwork } from './client-address.ts';
import { envelope, UPSTREAM } from '../tunnel/test/envelopes.fixture.ts';
import { TunnelServer } from '../tunnel/test/tunnel-server.fixture.ts';

const SESSION = envelope({ dsn: UPSTREAM }, [{ type: 'session' }, '{}']);
const EVENT = envelope({ dsn: UPSTREAM }, [{ type: 'event' }, '{}']);

/** Returns the stored address of a client that sends these forwarding headers. */
async function kept(
  environment: Record<string, string>,
  headers: Record<string, string>,
): Promise<string | null> {
  const tunnel = await TunnelServer.start({ environment });
  try {
    await tunnel.post(EVENT, headers);
    return (await tunnel.queued())[0]?.sender.address ?? null;
  } finally {
    await tunnel.stop();
  }
}

describe('the address of the sender', () => {
  const BEHIND = { ERRATA_TRUST_PROXY: '127.0.0.1, 10.0.0.0/8' };

  it('H15: is that of the connection, also when a client writes forwarding headers', async () => {
    const spoofed = {
      'X-Forwarded-For': '203.0.113.9',
      'X-Sentry-Forwarded-For': '203.0.113.9',
      'X-Vercel-Forwarded-For': '203.0.113.9',
      'X-Real-Ip': '203.0.113.9',
      Forwarded: 'for=203.0.113.9',
    };

    expect(await kept({}, spoofed)).toBe('127.0.0.1');
  });

  it('H15: is the first one behind the trusted proxies', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.9, 198.51.100.7, 10.1.2.3' };

    expect(await kept(BEHIND, headers)).toBe('198.51.100.7');
  });

  it.each([
    ['<script>', '127.0.0.1'],
    ['198.51.100.7:4711', '198.51.100.7'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
  ])('H15: of a proxy that forwards %s is %s', async (forwarded, expected) => {
    expect(await kept(BEHIND, { 'X-Forwarded-For': forwarded })).toBe(expected);
  });

  it('H15: is not kept where the operator wants none', async () => {
    expect(await kept({ ERRATA_CLIENT_IP: 'none' }, {})).toBeNull();
    expect(await kept({ ERRATA_CLIENT_IP: 'truncated' }, {})).toBe('127.0.0.0');
  });

  it.each([
    ['198.51.100.7', '198.51.100.0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
    ['2001:db8::1', '2001:db8:0::'],
    ['::1', '0:0:0::'],
    ['fe80::1%eth0', 'fe80:0:0::'],
  ])('H15: %s is truncated to %s', (address, expected) => {
    expect(keptAddress(address, 'truncated')).toBe(expected);
  });

  it.each([
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['2001:db8::1', '2001:db8:0:0::'],
    ['2001:DB8:0:0:ffff::1', '2001:db8:0:0::'],
    ['64:ff9b::198.51.100.7', '64:ff9b:0:0::'],
    ['::', '0:0:0:0::'],
  ])('counts %s as a sender in %s', (address, expected) => {
    expect(senderNetwork(address)).toBe(expected);
  });
});

describe('Clients', () => {
  type Headers = Record<string, string>;

  /** Returns the client of a request, and the warnings that the operator gets. */
  function clientOf(
    remoteAddress: string,
    headers: Headers,
    { published = false, httpVersion = '1.1', times = 1 } = {},
  ) {
    const warned: string[] = [];
    const network = { trustProxy: ['127.0.0.2', '10.0.0.0/8'], publishedOnLoopback: published };
    const clients = new Clients(network, {
      warn: ({ peer, setting, header }) => void warned.push(`${peer} ${setting ?? header}`),
    });
    const socket = { remoteAddress } as Socket;
    const found = Array.from({ length: times }, () => clients.of({ socket, headers, httpVersion }));
    return { ...found[0], warned };
  }

  const PUBLIC = '8.8.8.8';
  const FOR_PUBLIC = { 'x-forwarded-for': PUBLIC };

  const notTrusted = (peer: string) => [`${peer} ERRATA_TRUST_PROXY`];
  const notForwarded = (peer: string) => [`${peer} X-Forwarded-For`];

  it.each<[string, Headers, string, boolean, boolean, boolean, string[]]>([
    ['127.0.0.1', {}, '127.0.0.1', false, true, true, []],
    ['::ffff:127.0.0.1', { 'x-request-id': '1' }, '127.0.0.1', false, true, true, []],
    ['::1', {}, '::1', false, true, true, []],
    ['127.0.0.1', FOR_PUBLIC, '127.0.0.1', false, false, false, notTrusted('127.0.0.1')],
    ['::1', { forwarded: `for=${PUBLIC}` }, '::1', false, false, false, notTrusted('::1')],
    ['::ffff:127.0.0.1', { via: '1.1 proxy' }, '127.0.0.1', false, false, false, notTrusted('127.0.0.1')],
    ['127.0.0.1', { 'x-real-ip': PUBLIC }, '127.0.0.1', false, false, false, notTrusted('127.0.0.1')],
    ['127.0.0.6', { 'x-forwarded-proto': 'http' }, '127.0.0.6', false, false, false, notTrusted('127.0.0.6')],
    ['172.18.0.1', FOR_PUBLIC, '172.18.0.1', false, false, false, notTrusted('172.18.0.1')],
    ['172.18.0.1', {}, '172.18.0.1', false, false, false, []],
    [PUBLIC, FOR_PUBLIC, PUBLIC, false, false, false, []],
    ['127.0.0.2', {}, '127.0.0.2', false, false, true, notForwarded('127.0.0.2')],
    ['127.0.0.2', FOR_PUBLIC, PUBLIC, true, false, false, []],
    ['127.0.0.2', { 'x-forwarded-for': `127.0.0.1, ${PUBLIC}` }, PUBLIC, true, false, false, []],
    ['127.0.0.2', { 'x-forwarded-for': '::ffff:127.0.0.1' }, '127.0.0.1', true, false, true, []],
    ['127.0.0.2', { 'x-forwarded-for': 'unknown' }, '127.0.0.2', true, false, false, []],
    [
      '127.0.0.2',
      { 'x-forwarded-proto': 'http' },
      '127.0.0.2',
      false,
      false,
      false,
      notForwarded('127.0.0.2'),
    ],
    ['10.1.2.3', {}, '10.1.2.3', false, false, false, notForwarded('10.1.2.3')],
  ])(
    'H15: from %s with %j: %s, forwarded %s, operator %s, local %s, warning %j',
    (peer, headers, address, isForwarded, isOperator, isLocal, warned) => {
      expect(clientOf(peer, headers)).toEqual({ address, isForwarded, isOperator, isLocal, warned });
    },
  );

  it.each([
    ['127.0.0.1', notTrusted('127.0.0.1')],
    ['127.0.0.2', notForwarded('127.0.0.2')],
  ])('H15: takes HTTP/1.0 from %s for a proxy, as nginx sends it by default', (peer, warned) => {
    expect(clientOf(peer, {}, { httpVersion: '1.0' })).toEqual({
      address: peer,
      isForwarded: false,
      isOperator: false,
      isLocal: false,
      warned,
    });
  });

  it.each([
    [{}, true],
    [FOR_PUBLIC, false],
  ])(
    'H15: takes a peer with %j for local where the port is published on loopback: %s',
    (headers, isLocal) => {
      expect(clientOf('172.18.0.1', headers, { published: true }).isLocal).toBe(isLocal);
    },
  );

  it.each(['X-Forwarded-For', 'X-Forwarded-Proto', 'Forwarded', 'Via'])(
    'H20: has no freedom from the rate of the tunnel on loopback with %s',
    async (name) => {
      const environment = { ERRATA_ADDRESS_RATE: '1' };
      const tunnel = await TunnelServer.start({ environment, limits: { addressBurst: 1 } });

      const statuses: number[] = [];
      for (const headers of [{}, {}, { [name]: 'http' }, { [name]: 'http' }, {}])
        statuses.push((await tunnel.post(SESSION, headers)).status);

      expect(statuses).toEqual([200, 200, 200, 429, 200]);
      await tunnel.stop();
    },
  );

  it('warns of a proxy that is not trusted once', () => {
    expect(clientOf('127.0.0.1', FOR_PUBLIC, { times: 3 }).warned).toHaveLength(1);
  });
});

describe('the stored address', () => {
  it('H13, H16: is a fixed set of headers, and none that could be a secret', async () => {
    const tunnel = await TunnelServer.start();

    await tunnel.post(EVENT, {
      'User-Agent': 'the browser',
      Origin: 'http://localhost',
      'Sec-Fetch-Site': 'same-origin',
      Referer: 'http://localhost/page',
      'Sec-CH-UA': '"Chromium";v="156"',
      'Sec-CH-UA-Mobile': '?0',
      'Sec-CH-UA-Platform': '"Linux"',
      Cookie: 'session=secret',
      Authorization: 'Bearer secret',
      'X-Custom': 'secret',
    });

    expect((await tunnel.queued())[0]?.sender).toEqual({
      address: '127.0.0.1',
      userAgent: 'the browser',
      origin: 'http://localhost',
      referer: 'http://localhost/page',
      // The origin of the page, because the browser calls it the same.
      host: 'localhost',
      sdk: null,
      clientHints: {
        'sec-ch-ua': '"Chromium";v="156"',
        'sec-ch-ua-mobile': '?0',
        'sec-ch-ua-platform': '"Linux"',
      },
    });
    await tunnel.stop();
  });

  it('H16: is cut where it is longer than upstreams take', async () => {
    const tunnel = await TunnelServer.start();

    await tunnel.post(EVENT, { Referer: `http://localhost/${'x'.repeat(5_000)}` });

    expect((await tunnel.queued())[0]?.sender.referer).toHaveLength(1_024);
    await tunnel.stop();
  });
});
