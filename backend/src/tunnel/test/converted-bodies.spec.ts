import { deflateSync, gzipSync } from 'node:zlib';
import { readEnvelopeHeader } from '../../envelope/envelope-header.ts';
import { scanItems } from '../../envelope/items.ts';
import type { QueuedEnvelope } from '../../sink/queued-envelope.ts';
import { STORE_BIT, UPSTREAM_BIT } from '../../sink/queued-envelope.ts';
import { EVENT_ID, project, UPSTREAM } from './envelopes.fixture.ts';
import { TunnelServer } from './tunnel-server.fixture.ts';

const SECOND = 'https://ffffffffffffffffffffffffffffffff@o1.ingest.example/43';
const QUERY = '?sentry_version=7&sentry_key=abcdef0123456789abcdef0123456789';
const CSP = { 'csp-report': { 'document-uri': 'https://a.example/', 'violated-directive': 'script-src' } };
const DASHED = '4bf92f35-77b3-4da6-a3ce-929d0e0e4736';

/** 20 MiB of blanks as raven sends them: zlib in base64, 27 KB. */
const RAVEN_BOMB = Buffer.from(deflateSync(Buffer.alloc(20 * 2 ** 20, ' ')).toString('base64'));

/** Returns types and payloads of an envelope's items. */
function itemsOf({ items }: QueuedEnvelope): readonly (readonly [string, string])[] {
  const scan = scanItems(items, 0);
  if (scan.outcome !== 'ok') throw new Error(scan.detail);
  const bytes = Buffer.from(items);
  return scan.items.map(({ type, payloadStart, payloadEnd }) => [
    type,
    bytes.toString('utf8', payloadStart, payloadEnd),
  ]);
}

/** Returns the headers of an envelope's items. */
function headersOf({ items }: QueuedEnvelope): readonly unknown[] {
  const scan = scanItems(items, 0);
  if (scan.outcome !== 'ok') throw new Error(scan.detail);
  const bytes = Buffer.from(items);
  return scan.items.map(({ headerStart, payloadStart }): unknown =>
    JSON.parse(bytes.toString('utf8', headerStart, payloadStart)),
  );
}

describe('a body that is converted into an envelope', () => {
  let tunnel: TunnelServer;

  beforeEach(async () => {
    tunnel = await TunnelServer.start({
      projects: [project(UPSTREAM, true), project(SECOND, true)],
      limits: { reportMaxBytes: 64 * 1024 },
    });
  });

  afterEach(() => tunnel.stop());

  const store = (body: Buffer | string, headers: Record<string, string> = {}) =>
    tunnel.send({ path: `/api/42/store/${QUERY}`, body, headers });
  const report = (type: string, body: unknown, path = '/reports') =>
    tunnel.send({ path, headers: { 'Content-Type': type }, body: JSON.stringify(body) });

  it('A2: keeps the event of an old SDK with its id and its bytes', async () => {
    const event = `{ "message": "é", "event_id": "${DASHED}", "extra": {"event_id": "no"} }`;

    const answer = await store(event);
    const [row] = await tunnel.queued();

    expect(answer).toMatchObject({ status: 200, body: { id: EVENT_ID } });
    expect(row).toMatchObject({
      project: UPSTREAM,
      eventId: EVENT_ID,
      class: 0,
      pending: UPSTREAM_BIT | STORE_BIT,
    });
    expect(row === undefined ? row : itemsOf(row)).toEqual([['event', event]]);
  });

  it.each([
    ['no event id', '{"message":"hi"}'],
    ['an event id that is none', '{"event_id":"1"}'],
    ['an event id of zeros', `{"event_id":"${'0'.repeat(32)}"}`],
    ['an event id only further inside', `{"extra":{"event_id":"${EVENT_ID}"}}`],
  ])('E14: makes an event id for an event with %s', async (_, event) => {
    const answer = await store(event);

    expect(answer.body.id).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.body.id).not.toBe(EVENT_ID);
    expect((await tunnel.queued())[0]?.eventId).toBe(answer.body.id);
  });

  it.each([
    ['transaction', 'transaction'],
    ['feedback', 'feedback'],
    ['csp', 'security'],
    ['error', 'event'],
    ['default', 'event'],
    ['a type of the future', 'event'],
  ])('A2: makes of an event of the type %s an item %s', async (type, item) => {
    const event = `{"type":"${type}","event_id":"${EVENT_ID}","spans":[{"type":"event"}]}`;

    const answer = await store(event);

    expect(answer).toMatchObject({ status: 200, body: { id: EVENT_ID } });
    expect((await tunnel.queued()).flatMap(itemsOf)).toEqual([[item, event]]);
  });

  it.each([
    ['plain', (text: string) => Buffer.from(text), {}],
    ['in gzip', (text: string) => gzipSync(text), { 'Content-Encoding': 'gzip' }],
    ['in zlib', (text: string) => deflateSync(text), { 'Content-Encoding': 'deflate' }],
    ['in zlib and base64', (text: string) => Buffer.from(deflateSync(text).toString('base64')), {}],
    ['with line breaks around it', (text: string) => Buffer.from(`\n ${text}\n`), {}],
  ] as const)('A2: accepts an event %s', async (_, encode, headers) => {
    const answer = await store(encode(`{"event_id":"${EVENT_ID}","message":"hi"}`), headers);

    expect(answer).toMatchObject({ status: 200, body: { id: EVENT_ID } });
    expect((await tunnel.queued()).map(itemsOf).flat()[0]?.[1].trim()).toBe(
      `{"event_id":"${EVENT_ID}","message":"hi"}`,
    );
  });

  it.each(['', 'hello', '[1]', '{"cut', Buffer.from('eJwDAAAAAAE=')])(
    'E17: rejects the event %j with 400 and keeps a copy',
    async (body) => {
      expect((await store(body)).status).toBe(400);
      expect(await tunnel.malformed()).toMatchObject([{ project: UPSTREAM, detail: 'body is not an event' }]);
    },
  );

  it.each([
    ['in JSON', Buffer.from(`{"extra":"${'x'.repeat(4 * 2 ** 20)}"}`)],
    ['that is inflated from 27 KB', RAVEN_BOMB],
  ])('H5: rejects an event over 4 MiB %s with 413 and keeps no copy', async (_, body) => {
    expect((await store(body)).status).toBe(413);
    expect(await tunnel.malformed()).toEqual([]);
  });

  it('keeps a CSP report of report-uri as raw_security, for the first project', async () => {
    const answer = await report('application/csp-report', CSP);
    const [row] = await tunnel.queued();

    expect(answer).toMatchObject({ status: 200, body: { id: row?.eventId } });
    expect(row).toMatchObject({
      project: UPSTREAM,
      class: 2,
      lifetime: 'other',
      pending: UPSTREAM_BIT | STORE_BIT,
    });
    expect(row === undefined ? row : itemsOf(row)).toEqual([['raw_security', JSON.stringify(CSP)]]);
  });

  it('keeps all reports of a batch in one envelope: network errors as nel, a crash as an event', async () => {
    const csp = { type: 'csp-violation', url: 'https://a/', body: { blockedURL: 'inline' } };
    const nel = { type: 'network-error', url: 'https://a/', body: { type: 'tcp.timed_out' } };
    const crash = { type: 'crash', url: 'https://a/', user_agent: 'UA', body: { reason: 'oom' } };
    const other = { type: 'a-type-of-the-future', url: 'https://a/', body: null };

    const answer = await report('application/reports+json; charset=utf-8', [csp, nel, crash, other]);
    const [row, ...more] = await tunnel.queued();
    const items = row === undefined ? [] : itemsOf(row);

    expect(answer.status).toBe(200);
    expect(more).toEqual([]);
    expect(items.map(([type]) => type)).toEqual(['raw_security', 'nel', 'event', 'raw_security']);
    expect(items.map(([, payload]) => JSON.parse(payload))).toMatchObject([
      csp,
      nel,
      {
        level: 'fatal',
        exception: { values: [{ type: 'PageCrash', value: 'oom' }] },
        request: { url: 'https://a/' },
      },
      other,
    ]);
    expect(row).toMatchObject({ class: 0, pending: UPSTREAM_BIT | STORE_BIT });
  });

  it('makes events of the first ten crashes of a batch, and keeps the others as reports', async () => {
    const crashes = Array.from({ length: 12 }, () => ({ type: 'crash', url: 'https://a/', body: null }));

    const answer = await report('application/reports+json', crashes);
    const [row] = await tunnel.queued();
    const types = row === undefined ? [] : itemsOf(row).map(([type]) => type);

    expect(answer.status).toBe(200);
    expect(types).toEqual([...Array<string>(10).fill('event'), 'raw_security', 'raw_security']);
  });

  it('keeps reports for the project that the query names', async () => {
    await report('application/csp-report', CSP, '/reports?project=43');
    const unknown = await report('application/csp-report', CSP, '/reports?project=44');

    expect((await tunnel.queued()).map((row) => row.project)).toEqual([SECOND]);
    expect(unknown.status).toBe(403);
  });

  it('writes release and environment of the query into the header of each report, and into a crash', async () => {
    const query = '?sentry_release=shop%402&sentry_environment=staging&sentry_key=x';
    const reports = [{ type: 'coop' }, { type: 'network-error' }, { type: 'crash' }];

    await report('application/reports+json', reports, `/reports${query}`);
    // Each emoji has two UTF-16 units, so the limit falls into one: Relay rejects JSON with a lone surrogate.
    const long = encodeURIComponent(`a${'😀'.repeat(500)}`);
    await report('application/csp-report', CSP, `/reports?sentry_release=${long}`);
    const [batch, csp] = await tunnel.queued();

    const names = { sentry_release: 'shop@2', sentry_environment: 'staging' };
    const headers = batch === undefined ? [] : headersOf(batch);
    expect(headers.slice(0, 2)).toMatchObject([
      { type: 'raw_security', ...names },
      { type: 'nel', ...names },
    ]);
    expect(batch === undefined ? null : JSON.parse(itemsOf(batch)[2]?.[1] ?? '')).toMatchObject({
      release: 'shop@2',
      environment: 'staging',
    });
    expect(csp === undefined ? null : headersOf(csp)[0]).toMatchObject({
      sentry_release: `a${'😀'.repeat(124)}\uFFFD`,
    });
  });

  it.each(['application/json', 'text/plain', 'application/x-sentry-envelope'])(
    'H9: rejects reports sent as %s with 415',
    async (type) => {
      expect((await report(type, CSP)).status).toBe(415);
    },
  );

  it.each([
    ['application/reports+json', {}],
    ['application/reports+json', [1]],
    ['application/reports+json', [{ type: 'crash' }, null]],
    ['application/csp-report', 'text'],
  ])('S11: rejects %s of %j with 400, and counts it without a copy', async (type, body) => {
    const { status, body: answer } = await report(type, body);

    expect({ status, detail: answer.detail }).toEqual({ status: 400, detail: `body is not ${type}` });
    expect(await tunnel.answers('malformed')).toBe(1);
    expect(await tunnel.malformed()).toEqual([]);
  });

  it('answers an empty batch with 200 and keeps nothing', async () => {
    expect((await report('application/reports+json', [])).status).toBe(200);
    expect(await tunnel.queued()).toEqual([]);
  });

  it('H4: rejects a batch over its limit with 413', async () => {
    expect((await report('application/csp-report', { x: 'x'.repeat(64 * 1024) })).status).toBe(413);
  });

  it('E14: writes a header with DSN and event id, by which the upstream knows the project', async () => {
    await report('application/reports+json', [{ type: 'coop' }, { type: 'coep' }]);
    const [row] = await tunnel.queued();
    const header = readEnvelopeHeader(row?.header ?? Buffer.of());

    expect(header).toMatchObject({ outcome: 'ok', header: { dsn: UPSTREAM, eventId: row?.eventId } });
  });
});
