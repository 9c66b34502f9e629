import { scanItems } from '../../envelope/items.ts';
import { EVENT_ID, project, UPSTREAM } from './envelopes.fixture.ts';
import { TunnelServer } from './tunnel-server.fixture.ts';

const SECOND = 'https://ffffffffffffffffffffffffffffffff@o1.ingest.example/43';
const KEY = '?sentry_key=abcdef0123456789abcdef0123456789';
const WRITTEN = { event_id: EVENT_ID, name: 'Ann', email: 'ann@shop.example', comments: 'it broke' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const DASHED = '4bf92f35-77b3-4da6-a3ce-929d0e0e4736';
const formOf = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();
const dialog = (query: Readonly<Record<string, string>> = {}): string =>
  `/api/embed/error-page/?${formOf({ dsn: UPSTREAM, eventId: EVENT_ID, ...query })}`;

describe('what a person wrote about an event', () => {
  let tunnel: TunnelServer;

  beforeEach(async () => {
    tunnel = await TunnelServer.start({
      projects: [project(UPSTREAM, true), project(SECOND, false)],
      limits: { reportMaxBytes: 2_048 },
    });
  });

  afterEach(() => tunnel.stop());

  /** Returns project, class, type and content of the queued items. */
  async function queued(): Promise<readonly unknown[]> {
    const rows = await tunnel.queued();
    return rows.map(({ project: named, class: level, items }) => {
      const scan = scanItems(items, 0);
      if (scan.outcome !== 'ok') throw new Error(scan.detail);
      return [
        named,
        level,
        ...scan.items.map(({ type, payloadStart, payloadEnd }): unknown => [
          type,
          JSON.parse(Buffer.from(items).toString('utf8', payloadStart, payloadEnd)),
        ]),
      ];
    });
  }

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${tunnel.port}${path}`, { headers });

  it.each([
    ['JSON to Sentry’s API', '/api/0/projects/acme/shop/user-feedback/', JSON.stringify(WRITTEN)],
    ['a form to Sentry’s API', '/api/0/projects/acme/shop/user-feedback/', formOf(WRITTEN)],
    ['JSON with a path of the project', '/api/42/user-feedback/', ` ${JSON.stringify(WRITTEN)}\n`],
    ['an id with hyphens', '/api/42/user-feedback', JSON.stringify({ ...WRITTEN, event_id: DASHED })],
    [
      'the dialog',
      dialog({ name: 'Bob' }),
      formOf({ name: 'Ann', email: WRITTEN.email, comments: 'it broke' }),
    ],
  ])('A2: is kept as a user report, from %s', async (_, path, body) => {
    const authorization = path.includes('embed') ? '' : `DSN ${UPSTREAM}`;

    const answer = await tunnel.send({ path, body, headers: { authorization } });

    expect(answer.status).toBe(200);
    expect(answer.body.id).toMatch(/^[\da-f]{32}$/);
    expect(answer.body.id).not.toBe(EVENT_ID);
    expect(await queued()).toEqual([[UPSTREAM, 0, ['user_report', WRITTEN]]]);
  });

  it('belongs to the project of its DSN, with other names in the path', async () => {
    const body = JSON.stringify(WRITTEN);
    const path = '/api/0/projects/42/42/user-feedback/';

    await tunnel.send({ path, body, headers: { authorization: `DSN ${SECOND}` } });
    await tunnel.send({ path: dialog({ dsn: SECOND.replace('o1.ingest', 'errata') }), body, headers: FORM });

    expect((await tunnel.queued()).map((row) => row.project)).toEqual([SECOND]);
  });

  it('L5: is kept once when it is repeated, and again in other words', async () => {
    const post = (comments: string) =>
      tunnel.send({ path: `/api/42/user-feedback/${KEY}`, body: JSON.stringify({ ...WRITTEN, comments }) });

    const [first, repeat, other] = [await post('it broke'), await post('it broke'), await post('again')];

    expect([repeat.body.id, other.status]).toEqual([first.body.id, 200]);
    expect(await queued()).toHaveLength(2);
  });

  it('has what is missing as empty texts', async () => {
    await tunnel.send({ path: dialog(), body: formOf({ comments: 'é \uD83D' }) });
    const body = `{"event_id":"${EVENT_ID}","name":7,"comments":"\\ud83d"}`;
    await tunnel.send({ path: `/api/42/user-feedback/${KEY}`, body });

    expect(await queued()).toMatchObject([
      [UPSTREAM, 0, ['user_report', { name: '', email: '', comments: 'é \uFFFD' }]],
      [UPSTREAM, 0, ['user_report', { name: '', email: '', comments: '\uFFFD' }]],
    ]);
  });

  it.each([
    '',
    '{"cut',
    '[]',
    '{}',
    JSON.stringify({ ...WRITTEN, comments: ' ' }),
    formOf({ comments: 'x' }),
  ])('E17: is rejected with 400 for %j, and a copy is kept', async (body) => {
    const answer = await tunnel.send({ path: `/api/42/user-feedback/${KEY}`, body });

    expect(answer).toMatchObject({ status: 400, body: { detail: 'expected event_id and comments' } });
    expect(await tunnel.malformed()).toMatchObject([{ project: UPSTREAM, body }]);
  });

  it.each([
    ['/api/42/user-feedback/', {}, 403],
    ['/api/0/projects/acme/shop/user-feedback/', { authorization: 'Bearer abc' }, 403],
    [`/api/43/user-feedback/${KEY}`, {}, 403],
    [dialog({ dsn: 'https://other@o1.ingest.example/42' }), {}, 403],
    [dialog(), { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403],
  ])('A8, H20: is rejected on %s with %j', async (path, headers, status) => {
    const answer = await tunnel.send({ path, headers, body: JSON.stringify(WRITTEN) });

    expect(answer.status).toBe(status);
    expect(await queued()).toEqual([]);
  });

  it('H6: is rejected with 413 above the limit of browser reports', async () => {
    const body = formOf({ ...WRITTEN, comments: 'x'.repeat(2_048) });

    expect((await tunnel.send({ path: dialog(), body })).status).toBe(413);
  });

  it('is written in a dialog whose script is the same for all, and is open to pages of every origin', async () => {
    const script = await get(dialog(), { 'sec-fetch-site': 'cross-site' });
    const other = await get(dialog({ title: '</script><script>alert(1)' }), { origin: 'https://a.example' });

    expect([script.status, script.headers.get('content-type')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ]);
    expect(script.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    expect(await other.text()).toBe(await script.text());
  });

  it.each([
    [dialog({ dsn: 'https://other@o1.ingest.example/42' }), 403],
    [dialog({ dsn: '' }), 403],
    [dialog({ eventId: '1' }), 400],
  ])('has no dialog on %s', async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });
});

describe('the dialog of a client above its rate', () => {
  it('H20: is rejected with 429 as its reports are', async () => {
    const tunnel = await TunnelServer.start({
      environment: { ERRATA_ADDRESS_RATE: '1', ERRATA_TRUST_PROXY: '127.0.0.1' },
      limits: { addressBurst: 1, nowMs: () => 0 },
    });
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const statusOf = async (method: string) =>
      (await fetch(`http://127.0.0.1:${tunnel.port}${dialog()}`, { method, headers })).status;
    // Ten times the rate, as for errors and reports.
    const first = await Promise.all(Array.from({ length: 10 }, () => statusOf('GET')));

    expect(first).toEqual(Array<number>(10).fill(200));
    expect([await statusOf('GET'), await statusOf('POST')]).toEqual([429, 429]);
    await tunnel.stop();
  });
});
