import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parseDsn } from '../envelope/dsn.ts';
import type { ProjectLimits } from '../spool/protocol/spool-messages.ts';
import { UpstreamRateLimits } from '../spool/upstream-rate-limits.ts';
import { spooledEnvelope } from '../spool/spool.fixture.ts';
import { NO_SENDER, type QueuedEnvelope } from '../sink/queued-envelope.ts';
import { unmovedWallMs } from '../time/monotonic-clock.ts';
import { WITHOUT_LIMITS } from './relay.fixture.ts';
import { Upstream, type UpstreamOptions } from './upstream.ts';

interface Seen {
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

const EVENT = '{"type":"event"}\n{}';
const TRANSACTION = '{"type":"transaction","length":2}\n{}\n';
const PROJECT = 'the project';
const NOW = { wallMs: Date.parse('2026-11-21T12:00:00Z'), monotonicMs: 7_000_000 };

function spooled(changes: Partial<QueuedEnvelope> = {}): QueuedEnvelope {
  const header = Buffer.from('{"dsn":"kept as it is"}');
  return spooledEnvelope(EVENT, { header, receivedAtMs: NOW.wallMs, ...changes });
}

describe('Upstream', () => {
  let server: Server;
  let upstream: Upstream;
  let seen: Seen[];
  let limits: UpstreamRateLimits;
  let saved: ProjectLimits[];
  let reply: { status: number; headers: Record<string, string>; isSilent: boolean; body?: string };

  beforeEach(async () => {
    seen = [];
    limits = new UpstreamRateLimits();
    saved = [];
    reply = { status: 200, headers: {}, isSilent: false };
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        seen.push({ url: request.url, headers: request.headers, body: Buffer.concat(chunks) });
        if (!reply.isSilent)
          response.writeHead(reply.status, reply.headers).end(reply.body ?? 'a body that is not passed on');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    upstream = connect();
  });

  afterEach(async () => {
    await upstream.close();
    server.closeAllConnections();
    server.close();
  });

  /** Only the watchdog of the test ends a request that has no shorter limit. */
  function connect(timeouts: Partial<UpstreamOptions> = {}): Upstream {
    const { port } = server.address() as AddressInfo;
    const dsn = parseDsn(`http://publickey@127.0.0.1:${port}/sub/7`);
    if (dsn === undefined) throw new Error('no dsn');
    const options = {
      dsn,
      project: PROJECT,
      client: 'errata/1',
      backoff: { minMs: 500, maxMs: 60_000 },
      connections: 2,
      ...WITHOUT_LIMITS,
      ...timeouts,
    };
    const store = {
      rateLimits: limits,
      saveRateLimits: (changed: ProjectLimits): void => {
        saved.push(changed);
        limits.add(changed);
      },
    };
    return new Upstream(options, store, { now: () => NOW, limitMs: unmovedWallMs, random: () => 1 });
  }

  async function deliver(envelope: QueuedEnvelope) {
    return (await upstream.deliver([envelope]))[0];
  }

  it('E16, A6: posts header line and items unchanged to the path of the DSN', async () => {
    const settlement = await deliver(spooled());

    expect(settlement).toEqual({ outcome: 'delivered', digest: null, discarded: [] });
    expect(seen[0]?.url).toBe('/sub/api/7/envelope/');
    expect(seen[0]?.body.toString()).toBe('{"dsn":"kept as it is"}\n{"type":"event"}\n{}');
    expect(seen[0]?.headers).toMatchObject({
      'content-type': 'application/x-sentry-envelope',
      'user-agent': 'errata/1',
      'x-sentry-auth': 'Sentry sentry_version=7, sentry_client=errata/1, sentry_key=publickey',
    });
  });

  it('H15, H16: passes on the metadata of the client', async () => {
    const sender = {
      ...NO_SENDER,
      address: '192.0.2.7',
      userAgent: 'browser',
      origin: 'https://app.example',
      referer: 'https://app.example/cart',
      clientHints: { 'sec-ch-ua': '"Chromium"' },
    };
    await deliver(spooled({ sender }));

    expect(seen[0]?.headers).toMatchObject({
      'x-forwarded-for': '192.0.2.7',
      'user-agent': 'browser',
      origin: 'https://app.example',
      referer: 'https://app.example/cart',
      'sec-ch-ua': '"Chromium"',
    });
  });

  it('A4, H17: names the SDK of the client in the only authentication header it sends', async () => {
    await deliver(spooled({ sender: { ...NO_SENDER, sdk: 'sentry.javascript.react/11.12.0' } }));

    expect(seen[0]?.headers['x-sentry-auth']).toBe(
      'Sentry sentry_version=7, sentry_client=sentry.javascript.react/11.12.0, sentry_key=publickey',
    );
    expect(seen[0]?.headers).not.toHaveProperty('authorization');
    expect(seen[0]?.url).not.toContain('?');
  });

  it('L4: moves sent_at by the time the envelope waited', async () => {
    const header = Buffer.from('{"sent_at":"2026-01-01T00:00:00.000Z","a":1}');
    await deliver(spooled({ header, receivedAtMs: NOW.wallMs - 3_600_000 }));
    const [line = ''] = seen[0]?.body.toString().split('\n') ?? [];

    expect(line).toBe('{"sent_at":"2026-01-01T01:00:00.000Z","a":1}');
  });

  it('F16: does not count a jump of the wall clock as waiting time', async () => {
    const header = Buffer.from('{"sent_at":"2026-01-01T00:00:00.000Z"}');
    const receivedAtMs = NOW.wallMs - 3_600_000;
    await deliver(spooled({ header, receivedAtMs, monotonicAtMs: NOW.monotonicMs - 999 }));

    expect(seen[0]?.body.toString()).toBe(`${header.toString()}\n${EVENT}`);
  });

  it('leaves the header line unchanged if the envelope did not wait', async () => {
    const header = Buffer.from('{"sent_at":"2026-01-01T00:00:00.000Z","a":1}');
    await deliver(spooled({ header }));

    expect(seen[0]?.body.toString()).toBe(`${header.toString()}\n${EVENT}`);
  });

  it('H18: sends the compressed copy of the spool unchanged', async () => {
    const gzipped = gzipSync('the whole envelope');
    await deliver(spooled({ gzipped }));

    expect(seen[0]?.headers['content-encoding']).toBe('gzip');
    expect(seen[0]?.body).toEqual(gzipped);
  });

  it('compresses large envelopes only', async () => {
    const items = Buffer.alloc(40 * 1024, 'x');
    await deliver(spooled({ items }));

    expect(seen[0]?.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(seen[0]?.body ?? Buffer.of()).subarray(-items.length)).toEqual(items);
  });

  it('H22: counts a web page as no delivery', async () => {
    reply.body = '<!doctype html><title>Maintenance</title>';

    expect(await deliver(spooled())).toEqual({
      outcome: 'retry',
      reason: 'unexpected_answer',
      status: 200,
      retryAfterMs: null,
      scope: 'page',
    });
  });

  it('H22: returns status and text of a refusal, which is not final', async () => {
    reply = { status: 413, headers: { 'x-sentry-error': 'no thanks' }, isSilent: false };

    expect(await deliver(spooled())).toEqual({
      outcome: 'retry',
      reason: 'status_413',
      status: 413,
      retryAfterMs: null,
      scope: 'refusal',
      refusal: { status: 413, detail: 'no thanks' },
    });
  });

  it('H22: attributes a 403 to the DSN only if it is JSON', async () => {
    reply = { status: 403, headers: {}, isSilent: false, body: '{"detail":"bad key"}' };
    const ofUpstream = await deliver(spooled());
    reply.body = '<h1>Forbidden</h1>';
    const ofFirewall = await deliver(spooled());

    expect(ofUpstream).toMatchObject({ outcome: 'retry', reason: 'status_403', scope: 'dsn' });
    expect(ofFirewall).toMatchObject({ outcome: 'retry', reason: 'status_403', scope: 'page' });
  });

  it.each([301, 302, 307, 308])('S1: follows no %i', async (status) => {
    reply = { status, headers: { location: '/elsewhere' }, isSilent: false };

    expect(await deliver(spooled())).toMatchObject({ outcome: 'retry', scope: 'sink' });
    expect(seen).toHaveLength(1);
  });

  it('H10: holds a limited error, and sends none until the limit ends', async () => {
    reply = { status: 429, headers: { 'x-sentry-rate-limits': '60:error:key' }, isSilent: false };
    const first = await deliver(spooled());
    const second = await deliver(spooled());

    expect(first).toMatchObject({ outcome: 'held', wasSent: true });
    expect(second).toMatchObject({ outcome: 'held', wasSent: false });
    expect(seen).toHaveLength(1);
  });

  it('H10: saves no limit of zero seconds in a 200', async () => {
    reply.headers = { 'x-sentry-rate-limits': '0:error:key' };
    await deliver(spooled());

    expect(saved).toEqual([]);
  });

  it('H10: obeys a limit in a 200', async () => {
    reply.headers = { 'x-sentry-rate-limits': '60:transaction:key' };
    await deliver(spooled());
    reply.headers = {};

    expect(await deliver(spooled({ items: Buffer.from(TRANSACTION) }))).toEqual({
      outcome: 'dropped',
      wasSent: false,
    });
    expect(await deliver(spooled())).toMatchObject({ outcome: 'delivered' });
  });

  it('H11: treats a 429 with only Retry-After as a limit on all categories', async () => {
    reply = { status: 429, headers: { 'retry-after': '60' }, isSilent: false };
    const first = await deliver(spooled({ items: Buffer.from(TRANSACTION), class: 2 }));
    const second = await deliver(spooled());

    expect(first).toEqual({ outcome: 'dropped', wasSent: true });
    expect(second).toMatchObject({ outcome: 'held', wasSent: false });
  });

  it('holds an error with another limited item, and own events of this process', async () => {
    reply = { status: 429, headers: { 'x-sentry-rate-limits': '60:attachment:key' }, isSilent: false };
    const withAttachment = Buffer.from(`${EVENT}\n{"type":"attachment","length":1}\na`);

    expect(await deliver(spooled({ items: withAttachment }))).toMatchObject({ outcome: 'held' });
    expect(await deliver(spooled({ class: 2, source: 'own' }))).toMatchObject({ outcome: 'held' });
  });

  it('sends an envelope whose sent_at cannot be moved', async () => {
    const header = Buffer.from('{"sent_at":"+275760-09-13T00:00:00.000Z"}');

    expect(await deliver(spooled({ header, receivedAtMs: NOW.wallMs - 60_000 }))).toMatchObject({
      outcome: 'delivered',
    });
  });

  it('removes limited items from an envelope, and sends the others byte for byte', async () => {
    limits.add({
      project: PROJECT,
      limits: [{ categories: ['attachment'], untilMs: Date.now() + 60_000, reason: null }],
    });
    const items = `{"type":"event"}\n{ "odd" : "é" }\n{"type":"attachment","length":3}\nabc\n`;
    const settlement = await deliver(spooled({ items: Buffer.from(items) }));

    expect(settlement).toEqual({
      outcome: 'delivered',
      digest: null,
      discarded: [{ reason: 'ratelimit_backoff', category: 'attachment', quantity: 1 }],
    });
    expect(seen[0]?.body.toString()).toBe('{"dsn":"kept as it is"}\n{"type":"event"}\n{ "odd" : "é" }\n');
  });

  it('retries when the upstream does not respond', async () => {
    reply.isSilent = true;
    await upstream.close();
    upstream = connect({ headersTimeoutMs: 200 });

    expect(await deliver(spooled())).toMatchObject({ outcome: 'retry', reason: 'und_err_headers_timeout' });
  });

  it('retries when the connection is refused', async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');

    expect(await deliver(spooled())).toMatchObject({ outcome: 'retry', reason: 'econnrefused' });
  });
});
