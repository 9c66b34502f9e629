import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import { envelope, EVENT_ID, UPSTREAM } from './envelopes.fixture.ts';
import { type ServerOptions, TunnelServer, until } from './tunnel-server.fixture.ts';

const MIB = 2 ** 20;

describe('a tunnel with little memory', () => {
  const environment = { ERRATA_BODY_MEMORY: '1MiB', ERRATA_ENVELOPE_MAX_BYTES: '512KiB' };
  const event = (bytes: number) =>
    envelope({ dsn: UPSTREAM, event_id: EVENT_ID }, [{ type: 'event' }, 'x'.repeat(bytes)]);
  let tunnel: TunnelServer;

  afterEach(() => tunnel.stop());

  async function start(
    limits: ServerOptions['limits'],
    changes: ServerOptions['environment'] = {},
  ): Promise<void> {
    tunnel = await TunnelServer.start({ environment: { ...environment, ...changes }, limits });
  }

  /** Starts a request with this length and sends only its first byte: it holds its memory until it is destroyed. */
  async function hold(bytes: number): Promise<Socket> {
    const socket = tunnel.connect();
    socket.write(`POST /tunnel HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n{`);
    await once(tunnel.server, 'request');
    return socket;
  }

  it('reserves the declared length of a body before it arrives', async () => {
    await start({});
    await hold(300 * 1024);

    expect(await tunnel.reservedBytes()).toBe(300 * 1024);
  });

  it('H9: answers 503 with Retry-After while there is no memory, and 200 when there is', async () => {
    await start({ bodyWaitMs: 50 });
    const holders = [await hold(512 * 1024), await hold(480 * 1024)];

    const refused = await tunnel.post(event(400 * 1024));
    for (const holder of holders) holder.destroy();
    await until(async () => (await tunnel.reservedBytes()) === 0);
    const accepted = await tunnel.post(event(400 * 1024));

    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('5');
    expect(refused.headers['x-sentry-rate-limits']).not.toMatch(/error[;:]|feedback/);
    expect(accepted.status).toBe(200);
  });

  it('accepts a small error while large bodies wait', async () => {
    await start({ bodyWaitMs: 120_000 });
    const holders = [await hold(512 * 1024), await hold(400 * 1024)];
    const arrival = once(tunnel.server, 'request');
    const large = tunnel.post(event(400 * 1024));
    await arrival;

    const small = await tunnel.post(event(100));
    for (const holder of holders) holder.destroy();

    expect(small.status).toBe(200);
    expect((await large).status).toBe(200);
  });

  it('reserves the decoded bytes of a body as they arrive, with and without a length', async () => {
    await start({ bodyWaitMs: 50 });
    await hold(512 * 1024);
    await hold(500 * 1024);
    const body = gzipSync(event(100 * 1024));

    const statuses = await Promise.all([
      tunnel.post(body, { 'Content-Encoding': 'gzip' }),
      tunnel.send({ chunks: [event(30 * 1024), event(30 * 1024), event(30 * 1024)] }),
    ]);

    expect(statuses.map(({ status }) => status)).toEqual([503, 503]);
  });

  it('H4: reserves an inflated event of /store/ and the envelope made of it', async () => {
    await start({ bodyWaitMs: 50 }, { ERRATA_ENVELOPE_MAX_BYTES: '4MiB' });
    const store = async (bytes: number): Promise<number> => {
      const zlib = deflateSync(JSON.stringify({ message: 'x'.repeat(bytes) }));
      const path = '/api/42/store/?sentry_key=abcdef0123456789abcdef0123456789';
      return (await tunnel.send({ path, body: zlib.toString('base64') })).status;
    };
    await hold(512 * 1024);

    const statuses = [await store(200 * 1024), await store(300 * 1024), await store(600 * 1024)];

    expect(statuses).toEqual([200, 503, 503]);
  });

  it('has nothing reserved after a flood of bodies that end in every way', async () => {
    await start({ bodyWaitMs: 50, bodyTimeoutMs: 300 }, { ERRATA_HEADERS_TIMEOUT: '300ms' });
    const noise = randomBytes(200 * 1024);
    const cut = async (): Promise<void> => {
      const socket = tunnel.connect();
      const isClosed = new Promise((resolve) => socket.once('close', resolve));
      socket.write(`POST /tunnel HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n`);
      socket.write(noise.subarray(0, 50_000), () => socket.destroy());
      await isClosed;
    };
    const slow = () => tunnel.raw('POST /tunnel HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\n{');
    const slowChunks = () =>
      tunnel.raw('POST /tunnel HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"dsn');
    const ways: readonly (() => Promise<unknown>)[] = [
      () => tunnel.post(event(1_000)),
      () => tunnel.post(event(300 * 1024)),
      () => tunnel.send({ chunks: [event(100 * 1024)] }),
      () => tunnel.post(gzipSync(event(400 * 1024)), { 'Content-Encoding': 'gzip' }),
      () => tunnel.post(gzipSync(Buffer.alloc(4 * MIB)), { 'Content-Encoding': 'gzip' }),
      () => tunnel.post(gzipSync(noise).subarray(0, -9), { 'Content-Encoding': 'gzip' }),
      () => tunnel.post(noise),
      () => tunnel.post(Buffer.alloc(600 * 1024)),
      () => tunnel.send({ chunks: [Buffer.alloc(600 * 1024, 32)] }),
      () => tunnel.post(envelope({ dsn: UPSTREAM.replace('42', '43') }, [{ type: 'event' }, '{}'])),
      () => tunnel.post(event(10), { 'Content-Encoding': 'br' }),
      () => tunnel.send({ path: '/api/42/store/', body: noise }),
      () =>
        tunnel.send({ path: '/reports', headers: { 'Content-Type': 'application/csp-report' }, body: noise }),
      cut,
      slow,
      slowChunks,
    ];

    const outcomes = ['accepted', 'unavailable', 'aborted', 'timeout'];
    const haveAllOccurred = async (): Promise<boolean> =>
      (await Promise.all(outcomes.map((outcome) => tunnel.answers(outcome)))).every((count) => count > 0);

    // Chance decides how a body of one flood ends, so it goes on until each end has occurred.
    do {
      await Promise.all(Array.from({ length: 8 }, () => ways.map((way) => way())).flat());
    } while (!(await haveAllOccurred()));
    await until(async () => (await tunnel.reservedBytes()) === 0);

    expect(await tunnel.reservedBytes()).toBe(0);
  });
});

describe('a tunnel with a slow disk', () => {
  it('keeps the reservation of a body until the commit ends, although the client has its 503', async () => {
    const tunnel = await TunnelServer.start({ limits: { commitTimeoutMs: 20 } });
    const body = envelope({ dsn: UPSTREAM, event_id: EVENT_ID }, [{ type: 'event' }, 'x'.repeat(300 * 1024)]);
    const disk = Promise.withResolvers<void>();
    const append = tunnel.spool.append.bind(tunnel.spool);
    tunnel.spool.append = (each) => disk.promise.then(() => append(each));

    const { status } = await tunnel.post(body);
    const reserved = await tunnel.reservedBytes();
    disk.resolve();
    await until(async () => (await tunnel.reservedBytes()) === 0);
    const held = await tunnel.held();
    await tunnel.stop();

    expect(status).toBe(503);
    expect(reserved).toBe(body.length);
    expect(held).toHaveLength(1);
  });
});
