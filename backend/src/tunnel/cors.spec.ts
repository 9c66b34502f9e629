import { envelope, EVENT_ID, UPSTREAM } from './test/envelopes.fixture.ts';
import { TunnelServer } from './test/tunnel-server.fixture.ts';

const EVENT = envelope({ event_id: EVENT_ID, dsn: UPSTREAM }, [{ type: 'event' }, '{}']);
const PARTNER = 'https://app.example';
const FOREIGN = 'https://evil.example';

describe('a tunnel for apps in web views', () => {
  const origins = [
    'capacitor://localhost',
    'tauri://localhost',
    'file://',
    'null',
    `chrome-extension://${'a'.repeat(32)}`,
  ];
  let tunnel: TunnelServer;

  beforeAll(async () => {
    tunnel = await TunnelServer.start({ environment: { ERRATA_TUNNEL_ORIGINS: origins.join(',') } });
  });

  afterAll(() => tunnel.stop());

  it.each(origins)('H12, H20: lets %s post and read the answer', async (origin) => {
    const answer = await tunnel.post(EVENT, { Origin: origin, 'Sec-Fetch-Site': 'cross-site' });

    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe(origin);
  });

  it('H20: rejects another app', async () => {
    const answer = await tunnel.post(EVENT, { Origin: 'capacitor://other', 'Sec-Fetch-Site': 'cross-site' });

    expect(answer.status).toBe(403);
  });
});

describe('a tunnel with allowed origins', () => {
  let tunnel: TunnelServer;

  beforeAll(async () => {
    tunnel = await TunnelServer.start({
      environment: { ERRATA_TUNNEL_ORIGINS: PARTNER, ERRATA_TRUST_PROXY: '127.0.0.1' },
    });
  });

  afterAll(() => tunnel.stop());

  it('H12: answers the preflight of an origin on the list', async () => {
    const answer = await tunnel.send({
      method: 'OPTIONS',
      headers: {
        Origin: PARTNER,
        'Sec-Fetch-Site': 'cross-site',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type,sentry-trace',
      },
    });

    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': PARTNER,
      'access-control-allow-methods': 'POST',
      'access-control-max-age': '3600',
      vary: 'Origin',
    });
    expect(answer.headers['access-control-allow-headers']?.split(', ')).toEqual(
      expect.arrayContaining([
        'content-type',
        'content-encoding',
        'x-sentry-auth',
        'sentry-trace',
        'baggage',
      ]),
    );
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it.each(['/api/42/envelope/', '/api/42/store/', '/reports'])(
    'H12: answers preflights on %s',
    async (path) => {
      const headers = { Origin: PARTNER, 'Access-Control-Request-Method': 'POST' };
      const answer = await tunnel.send({ method: 'OPTIONS', path, headers });

      expect(answer.status).toBe(204);
      expect(answer.headers['access-control-allow-origin']).toBe(PARTNER);
    },
  );

  it.each([
    ['a 200', EVENT, 200],
    ['a 400', Buffer.from('nothing'), 400],
    ['a 403', envelope({}, [{ type: 'event' }, '{}']), 403],
  ] as const)('H12: lets the page read %s and its limits', async (_, body, status) => {
    const answer = await tunnel.post(body, { Origin: PARTNER, 'Sec-Fetch-Site': 'cross-site' });

    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': PARTNER,
      'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
      vary: 'Origin',
    });
  });

  it('H12: sends Vary: Origin also without an Origin header', async () => {
    const answer = await tunnel.post(EVENT);

    expect(answer.headers['vary']).toBe('Origin');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it.each(['POST', 'OPTIONS'])(
    'H12, H20: rejects a %s from an origin that is not on the list',
    async (method) => {
      const headers = { Origin: FOREIGN, 'Sec-Fetch-Site': 'cross-site' };
      const answer = await tunnel.send({ method, headers, ...(method === 'POST' ? { body: EVENT } : {}) });

      expect(answer.status).toBe(403);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  it.each([`${PARTNER}.evil.example`, 'https://APP.example', 'http://app.example', 'null'])(
    'H12: rejects the similar origin %s',
    async (origin) => {
      const answer = await tunnel.post(EVENT, { Origin: origin, 'Sec-Fetch-Site': 'cross-site' });

      expect(answer.status).toBe(403);
    },
  );

  it('H20: compares with the host that a trusted proxy forwards', async () => {
    const headers = {
      Origin: 'http://shop.example',
      Host: 'internal:3000',
      'X-Forwarded-Host': 'shop.example',
    };

    expect((await tunnel.post(EVENT, headers)).status).toBe(200);
  });
});

describe('a tunnel for its own origin only', () => {
  let tunnel: TunnelServer;

  beforeAll(async () => {
    tunnel = await TunnelServer.start();
  });

  afterAll(() => tunnel.stop());

  it.each([
    ['a page of this origin', { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://shop.example' }, 200],
    ['a page of this site', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://www.shop.example' }, 200],
    ['a program', {}, 200],
    [
      'a browser without Sec-Fetch-Site on this host',
      { Host: 'shop.example', Origin: 'http://shop.example' },
      200,
    ],
    ['a browser without Sec-Fetch-Site on another host', { Host: 'shop.example', Origin: FOREIGN }, 403],
    ['a browser behind an untrusted proxy', { Origin: FOREIGN, 'X-Forwarded-Host': 'evil.example' }, 403],
    ['a sandboxed page', { Host: 'shop.example', Origin: 'null' }, 403],
    ["a form of another site's page", { 'Sec-Fetch-Site': 'cross-site', Origin: FOREIGN }, 403],
    ['a cross-site request that hides its origin', { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ] as const)('H20: accepts or rejects %s', async (_, headers, status) => {
    expect((await tunnel.post(EVENT, headers)).status).toBe(status);
  });

  it('H9, H12: answers OPTIONS with Allow and without CORS headers', async () => {
    const answer = await tunnel.send({ method: 'OPTIONS' });

    expect(answer.status).toBe(204);
    expect(answer.headers['allow']).toBe('POST, OPTIONS');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(answer.headers['vary']).toBeUndefined();
  });
});
