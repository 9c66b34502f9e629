import { envelope, EVENT_ID, UPSTREAM } from './test/envelopes.fixture.ts';
import { TunnelServer } from './test/tunnel-server.fixture.ts';

const EVENT = envelope({ event_id: EVENT_ID, dsn: UPSTREAM }, [{ type: 'event' }, '{}']);
const FRIEND = 'https://app.example';
const STRANGER = 'https://evil.example';

describe('a tunnel that other origins may use', () => {
  let tunnel: TunnelServer;

  beforeAll(async () => {
    tunnel = await TunnelServer.start({
      environment: { ERRATA_TUNNEL_ORIGINS: FRIEND, ERRATA_TRUST_PROXY: '127.0.0.1' },
    });
  });

  afterAll(() => tunnel.stop());

  it('H12: answers the preflight of an origin on the list', async () => {
    const answer = await tunnel.send({
      method: 'OPTIONS',
      headers: {
        Origin: FRIEND,
        'Sec-Fetch-Site': 'cross-site',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type,sentry-trace',
      },
    });

    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': FRIEND,
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
      const headers = { Origin: FRIEND, 'Access-Control-Request-Method': 'POST' };
      const answer = await tunnel.send({ method: 'OPTIONS', path, headers });

      expect(answer.status).toBe(204);
      expect(answer.headers['access-control-allow-origin']).toBe(FRIEND);
    },
  );

  it.each([
    ['a 200', EVENT, 200],
    ['a 400', Buffer.from('nothing'), 400],
    ['a 403', envelope({}, [{ type: 'event' }, '{}']), 403],
  ] as const)('H12: lets the page read %s and its limits', async (_, body, status) => {
    const answer = await tunnel.post(body, { Origin: FRIEND, 'Sec-Fetch-Site': 'cross-site' });

    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': FRIEND,
      'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
      vary: 'Origin',
    });
  });

  it('H12: says that answers differ by origin also to who sends none', async () => {
    const answer = await tunnel.post(EVENT);

    expect(answer.headers['vary']).toBe('Origin');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it.each(['POST', 'OPTIONS'])('H12, H20: refuses a %s from an origin that is not on it', async (method) => {
    const headers = { Origin: STRANGER, 'Sec-Fetch-Site': 'cross-site' };
    const answer = await tunnel.send({ method, headers, ...(method === 'POST' ? { body: EVENT } : {}) });

    expect(answer.status).toBe(403);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it.each([`${FRIEND}.evil.example`, 'https://APP.example', 'http://app.example', 'null'])(
    'H12: takes %s for another origin',
    async (origin) => {
      const answer = await tunnel.post(EVENT, { Origin: origin, 'Sec-Fetch-Site': 'cross-site' });

      expect(answer.status).toBe(403);
    },
  );

  it('H20: believes the host that a trusted proxy names', async () => {
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
    ['such a browser on this host', { Host: 'shop.example', Origin: 'http://shop.example' }, 200],
    ['such a browser on another host', { Host: 'shop.example', Origin: STRANGER }, 403],
    ['such a browser behind a strange proxy', { Origin: STRANGER, 'X-Forwarded-Host': 'evil.example' }, 403],
    ['a sandboxed page', { Host: 'shop.example', Origin: 'null' }, 403],
    ["a form of another site's page", { 'Sec-Fetch-Site': 'cross-site', Origin: STRANGER }, 403],
    ['a cross-site request that hides its origin', { 'Sec-Fetch-Site': 'cross-site' }, 403],
  ] as const)('H20: answers %s with its due', async (_, headers, status) => {
    expect((await tunnel.post(EVENT, headers)).status).toBe(status);
  });

  it('H9, H12: tells what can be done here to who asks, and gives no other origin leave', async () => {
    const answer = await tunnel.send({ method: 'OPTIONS' });

    expect(answer.status).toBe(204);
    expect(answer.headers['allow']).toBe('POST, OPTIONS');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(answer.headers['vary']).toBeUndefined();
  });
});
