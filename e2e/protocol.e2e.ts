import { expect } from '@playwright/test';
import { test } from './fixtures/test.ts';
import { newEventId } from './fixtures/envelopes.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { type Arrived, FakeUpstream, itemsOf } from './fixtures/fake-upstream.ts';

/** Tests the upstream's side of the protocol; the specs of tunnel/ test the client's side. */
test.describe('an envelope at the upstream', () => {
  let upstream: FakeUpstream;
  let errata: ErrataProcess;

  test.beforeAll(async () => {
    upstream = new FakeUpstream();
    await upstream.up();
    errata = await new ErrataProcess({ environment: { SENTRY_DSN: upstream.dsn } }).start();
  });

  test.afterAll(async () => {
    await errata.stop();
    await upstream.down();
  });

  /** Posts an envelope and waits until it has arrived at the upstream. */
  async function sent(path: string, body: Buffer, headers: Record<string, string> = {}): Promise<Arrived> {
    const answer = await fetch(errata.url + path, { method: 'POST', body: new Uint8Array(body), headers });
    expect(answer.status).toBe(200);
    const { id } = (await answer.json()) as { readonly id: string };
    await upstream.until((arrived) => arrived.some(({ eventId }) => eventId === id));
    const arrived = upstream.arrived.find(({ eventId }) => eventId === id);
    if (arrived === undefined) throw new Error(`${id} did not arrive`);
    return arrived;
  }

  const event = (header: object, payload = '{"message":"hi"}') =>
    Buffer.from(`${JSON.stringify({ event_id: newEventId(), ...header })}\n{"type":"event"}\n${payload}`);

  test('A4, A5, H13, H16: one form of authentication, and a fixed set of headers', async () => {
    const key = new URL(upstream.dsn).username;
    const { url, headers, header } = await sent(`/api/7/envelope/?sentry_key=${key}`, event({}), {
      authorization: 'Basic c2VjcmV0',
      cookie: 'session=secret',
      'x-sentry-auth': `Sentry sentry_key=${key}`,
      'x-forwarded-for': '203.0.113.9',
      'x-sentry-forwarded-for': '203.0.113.9',
      'x-custom': 'secret',
      'user-agent': 'the browser',
    });

    expect(url).toBe('/api/7/envelope/');
    expect(headers['x-sentry-auth']).toMatch(
      /^Sentry sentry_version=7, sentry_client=errata\/[\w.-]+, sentry_key=[0-9a-f]{32}$/,
    );
    expect(header['dsn']).toBeUndefined();
    expect(headers['user-agent']).toBe('the browser');
    expect(headers['x-forwarded-for']).toBe('127.0.0.1');
    expect(JSON.stringify(headers)).not.toMatch(/secret|c2VjcmV0|203\.0\.113|cookie|authorization/);
  });

  test("A9: the upstream's own DSN in place of one that names this host", async () => {
    const local = upstream.dsn.replace(/@[^/]+/, `@${new URL(errata.url).host}`);

    const { header } = await sent('/api/7/envelope/', event({ dsn: local, odd: 1 }));

    expect(header).toMatchObject({ dsn: upstream.dsn, odd: 1 });
  });

  test('E7, E15, E16: an event and its attachments in one envelope, byte for byte', async () => {
    const binary = Buffer.from([0, 255, 10, 13, 10, 128]);
    const body = Buffer.concat([
      event({ dsn: upstream.dsn }, '{ "message" : "é, paid with 4111 1111 1111 1111" }'),
      Buffer.from(`\n{"type":"attachment","length":${binary.length},"odd":null}\n`),
      binary,
      Buffer.from('\n{"type":"a-type-of-the-future"}\n{}'),
    ]);

    expect((await sent('/tunnel', body)).items.equals(itemsOf(body))).toBe(true);
  });

  test("H16, H18: the client's headers, the content type of envelopes, gzip above 32 KiB", async () => {
    const browser = { 'user-agent': 'the browser', referer: `${errata.url}/page`, 'sec-ch-ua': '"x"' };

    const small = await sent('/tunnel', event({ dsn: upstream.dsn }), browser);
    const large = await sent('/tunnel', event({ dsn: upstream.dsn }, `{"x":"${'y'.repeat(33_000)}"}`));

    expect(small.headers).toMatchObject({ ...browser, 'content-type': 'application/x-sentry-envelope' });
    expect(small.headers['content-encoding']).toBeUndefined();
    expect(large.headers['content-encoding']).toBe('gzip');
  });

  test('browser reports, and events of SDKs older than envelopes', async () => {
    const key = new URL(upstream.dsn).username;
    const csp = Buffer.from('{"csp-report":{"violated-directive":"script-src"}}');

    const report = await sent('/reports', csp, { 'content-type': 'application/csp-report' });
    const old = await sent(`/api/7/store/?sentry_key=${key}`, Buffer.from('{"message":"an old SDK"}'));

    expect(report.items.toString()).toMatch(/^\{"type":"raw_security".*\}\n\{"csp-report"/);
    expect(old.items.toString()).toMatch(/^\{"type":"event".*\}\n\{"message":"an old SDK"\}$/);
  });
});
