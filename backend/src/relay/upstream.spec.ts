import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { parseDsn } from '../envelope/dsn.ts';
import type { SpooledEnvelope } from '../spool/spooled-envelope.ts';
import { Upstream } from './upstream.ts';

interface Seen {
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

function spooled(changes: Partial<SpooledEnvelope> = {}): SpooledEnvelope {
  return {
    id: 1,
    project: 'x',
    source: 'tunnel',
    class: 0,
    receivedAtMs: Date.now(),
    eventId: null,
    sender: { address: null, userAgent: null, origin: null, referer: null, clientHints: {} },
    header: Buffer.from('{"dsn":"kept as it is"}'),
    items: Buffer.from('{"type":"event"}\n{}'),
    pending: 1,
    ...changes,
  };
}

describe('Upstream', () => {
  let server: Server;
  let upstream: Upstream;
  let seen: Seen[];
  let answer: { status: number; headers: Record<string, string>; isSilent: boolean };

  beforeEach(async () => {
    seen = [];
    answer = { status: 200, headers: {}, isSilent: false };
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        seen.push({ url: request.url, headers: request.headers, body: Buffer.concat(chunks) });
        if (!answer.isSilent) response.writeHead(answer.status, answer.headers).end('an answer nobody sees');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const dsn = parseDsn(`http://publickey@127.0.0.1:${port}/sub/7`);
    if (dsn === undefined) throw new Error('no dsn');
    upstream = new Upstream({
      dsn,
      client: 'errata/1',
      connections: 2,
      connectTimeoutMs: 500,
      headersTimeoutMs: 300,
      timeoutMs: 1_000,
    });
  });

  afterEach(async () => {
    await upstream.close();
    server.closeAllConnections();
    server.close();
  });

  async function deliver(envelope: SpooledEnvelope) {
    return (await upstream.deliver([envelope]))[0];
  }

  it('posts header line and items as they came, to the path of the DSN', async () => {
    const settlement = await deliver(spooled());

    expect(settlement).toEqual({ outcome: 'delivered' });
    expect(seen[0]?.url).toBe('/sub/api/7/envelope/');
    expect(seen[0]?.body.toString()).toBe('{"dsn":"kept as it is"}\n{"type":"event"}\n{}');
    expect(seen[0]?.headers).toMatchObject({
      'content-type': 'application/x-sentry-envelope',
      'user-agent': 'errata/1',
      'x-sentry-auth': 'Sentry sentry_version=7, sentry_client=errata/1, sentry_key=publickey',
    });
  });

  it('passes on what is known of the sender', async () => {
    const sender = {
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

  it('moves sent_at by the time the envelope was held', async () => {
    const header = Buffer.from('{"sent_at":"2026-01-01T00:00:00.000Z","a":1}');
    await deliver(spooled({ header, receivedAtMs: Date.now() - 3_600_000 }));
    const [line = ''] = seen[0]?.body.toString().split('\n') ?? [];
    const sentAt = (JSON.parse(line) as { sent_at: string }).sent_at;

    expect(line).toMatch(/,"a":1}$/);
    expect(Date.parse(sentAt) - Date.parse('2026-01-01T01:00:00Z')).toBeLessThan(5_000);
    expect(Date.parse(sentAt)).toBeGreaterThanOrEqual(Date.parse('2026-01-01T01:00:00Z'));
  });

  it('compresses what is large, and only that', async () => {
    const items = Buffer.alloc(40 * 1024, 'x');
    await deliver(spooled({ items }));

    expect(seen[0]?.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(seen[0]?.body ?? Buffer.of()).subarray(-items.length)).toEqual(items);
  });

  it.each([200, 201, 204])('counts %i as delivered', async (status) => {
    answer.status = status;

    expect(await deliver(spooled())).toEqual({ outcome: 'delivered' });
  });

  it.each([400, 401, 403, 404, 413, 415, 422, 301, 307])(
    'counts %i as refused and follows nothing',
    async (status) => {
      answer = { status, headers: { location: '/elsewhere' }, isSilent: false };

      expect(await deliver(spooled())).toEqual({ outcome: 'refused', reason: `status_${status}`, status });
      expect(seen).toHaveLength(1);
    },
  );

  it.each([408, 425, 500, 502, 503, 504])('tries again after %i', async (status) => {
    answer.status = status;

    expect(await deliver(spooled())).toEqual({
      outcome: 'retry',
      reason: `status_${status}`,
      retryAfterMs: null,
    });
  });

  it('waits as long as a 429 asks', async () => {
    answer = { status: 429, headers: { 'retry-after': '30' }, isSilent: false };
    const settlement = await deliver(spooled());

    expect(settlement).toMatchObject({ outcome: 'retry', reason: 'status_429' });
    expect(settlement?.outcome === 'retry' ? settlement.retryAfterMs : 0).toBeGreaterThan(29_000);
  });

  it('tries again when nothing answers', async () => {
    answer.isSilent = true;

    expect(await deliver(spooled())).toMatchObject({ outcome: 'retry', reason: 'und_err_headers_timeout' });
  });

  it('tries again when nobody listens', async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');

    expect(await deliver(spooled())).toMatchObject({ outcome: 'retry', reason: 'econnrefused' });
  });
});
