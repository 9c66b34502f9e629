import type { Request } from 'express';
import { cookieFor, PUBLISHED_ON_LOOPBACK, transportOf } from './session-cookie.ts';

/** Gateway of a container's network: the peer of a browser that uses a published port. */
const GATEWAY = '172.18.0.1';

interface Reached {
  readonly peer: string;
  readonly host: string;
  readonly isPublished?: boolean;
}

function requestOf({ peer, host, isPublished = false }: Reached): Parameters<typeof transportOf>[0] {
  const settings = new Map([[PUBLISHED_ON_LOOPBACK, isPublished]]);
  return {
    secure: false,
    headers: { host },
    socket: { remoteAddress: peer } as Request['socket'],
    app: { get: (name: string) => settings.get(name) } as Request['app'],
  };
}

test.each<[Reached, string]>([
  [{ peer: '127.0.0.1', host: 'localhost:3000' }, 'loopback'],
  [{ peer: '::ffff:127.0.0.1', host: '127.0.0.1:3000' }, 'loopback'],
  [{ peer: '127.0.0.1', host: 'errata.example' }, 'plain'],
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
