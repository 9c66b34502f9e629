import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import type { Request } from 'express';
import { Clients } from '../../net/client-address.ts';
import { createLog } from '../../telemetry/log.ts';
import { ConsoleServer, OPERATOR_TOKEN } from '../console-server.fixture.ts';
import { CLIENTS, cookieFor, transportOf } from './session-cookie.ts';

/** Gateway of a container's network: the peer of a browser that uses a published port. */
const GATEWAY = '172.18.0.1';

interface Reached {
  readonly peer: string;
  readonly host: string;
  readonly isPublished?: boolean;
}

function requestOf({ peer, host, isPublished = false }: Reached): Parameters<typeof transportOf>[0] {
  const clients = new Clients({ trustProxy: [], publishedOnLoopback: isPublished }, { warn: () => {} });
  const settings = new Map([[CLIENTS, clients]]);
  return {
    secure: false,
    headers: { host },
    httpVersion: '1.1',
    socket: { remoteAddress: peer } as Request['socket'],
    app: { get: (name: string) => settings.get(name) } as Request['app'],
  };
}

test.each<[Reached, string]>([
  [{ peer: '127.0.0.1', host: 'localhost:3000' }, 'loopback'],
  [{ peer: '::ffff:127.0.0.1', host: '127.0.0.1:3000' }, 'loopback'],
  [{ peer: '127.0.0.1', host: '127.8.0.1' }, 'loopback'],
  [{ peer: '::1', host: '[::1]:3000' }, 'loopback'],
  [{ peer: '127.0.0.1', host: 'errata.example' }, 'plain'],
  [{ peer: '127.0.0.1', host: '127.999.1.1' }, 'plain'],
  [{ peer: '127.0.0.1', host: '127.0.0.1.evil.example' }, 'plain'],
  [{ peer: GATEWAY, host: 'localhost:3000' }, 'plain'],
  [{ peer: GATEWAY, host: 'localhost:3000', isPublished: true }, 'loopback'],
  [{ peer: GATEWAY, host: '192.168.1.7:3000', isPublished: true }, 'plain'],
])('%o is reached by %s', (reached, transport) => {
  expect(transportOf(requestOf(reached))).toBe(transport);
});

test.each<[string, boolean, string, string]>([
  ['', true, '__Host-errata', '/'],
  ['', false, 'errata-session', '/'],
  ['/errata', true, '__Secure-errata', '/errata'],
  ['/errata', false, 'errata-session', '/errata'],
])('below %j, https %s: the cookie %s of the path %s', (baseUrl, secure, name, path) => {
  const request = { ...requestOf({ peer: '127.0.0.1', host: 'localhost' }), secure, baseUrl };

  const cookie = cookieFor(request, { secure: 'errata', loopback: 'errata-session' });

  expect(cookie).toEqual({ name, attributes: { path, httpOnly: true, secure } });
});

describe('sign-in over plain HTTP on loopback', () => {
  const PROXY = { 'x-forwarded-for': '203.0.113.7' };
  const warnings: string[] = [];
  let server: ConsoleServer;

  beforeAll(async () => {
    const log = createLog('warn', { write: (line) => void warnings.push(line) });
    server = await ConsoleServer.start({}, log);
  });

  afterAll(() => server.close());

  async function statusOf(
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<number | undefined> {
    const sent = httpRequest(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.end(JSON.stringify({ token: OPERATOR_TOKEN }));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  }

  test.each<[string, Record<string, string>, number]>([
    ['a browser', {}, 200],
    ['a proxy that is not trusted', PROXY, 403],
    ['a browser by a name of DNS', { host: '127.999.1.1' }, 403],
  ])('is refused to all but this machine: %s', async (_client, headers, status) => {
    expect(await statusOf('/console/api/session', headers)).toBe(status);
  });

  test('of a proxy that is not trusted is logged once for console and tunnel, with the setting', async () => {
    await statusOf('/console/api/session', PROXY);
    await statusOf('/tunnel', PROXY);

    expect(warnings.filter((line) => line.includes('proxy_not_trusted'))).toEqual([
      expect.stringContaining(
        '"peer":"127.0.0.1","setting":"ERRATA_TRUST_PROXY","onlyIf":"a proxy of yours has this address',
      ),
    ]);
  });
});
