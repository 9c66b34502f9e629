import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { envelope, EVENT_ID, UPSTREAM } from './envelopes.fixture.ts';
import { type ServerOptions, TunnelServer, until } from './tunnel-server.fixture.ts';

const KIB = 2 ** 10;
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

  /** Starts a request with this length and sends some of its bytes. */
  async function begin(bytes: number, sent: number | Buffer, address?: string): Promise<Socket> {
    const socket = tunnel.connect();
    const forwarded = address === undefined ? '' : `X-Forwarded-For: ${address}\r\n`;
    socket.write(`POST /tunnel HTTP/1.1\r\nHost: x\r\n${forwarded}Content-Length: ${bytes}\r\n\r\n`);
    socket.write(typeof sent === 'number' ? Buffer.alloc(sent, '{') : sent);
    await once(tunnel.server, 'request');
    return socket;
  }

  /** Reads the status of the response on a connection. */
  async function statusOn(socket: Socket): Promise<number> {
    const [head] = (await once(socket, 'data')) as [Buffer];
    return Number(/^HTTP\/1\.1 (?<status>\d+)/.exec(head.toString('latin1'))?.groups?.['status']);
  }

  const reserved = (bytes: number): Promise<void> =>
    until(async () => (await tunnel.reservedBytes()) === bytes);

  it('charges the bytes of a body as they arrive, not its declared length', async () => {
    await start({});
    const socket = await begin(300 * KIB, 1);
    await reserved(1);

    socket.write(Buffer.alloc(100 * KIB, '{'));
    await reserved(128 * KIB);
    socket.write(Buffer.alloc(160 * KIB, '{'));
    await reserved(300 * KIB);

    expect(await tunnel.reservedBytes()).toBe(300 * KIB);
  });

  it('accepts small envelopes while larger ones are announced and do not come', async () => {
    await start({}, { ERRATA_BODY_MEMORY: '32MiB', ERRATA_ENVELOPE_MAX_BYTES: '20MiB' });
    const silent = [await begin(20 * MIB, 0), await begin(12 * MIB, 0)];

    const answers = await Promise.all(Array.from({ length: 100 }, () => tunnel.post(event(100))));
    for (const socket of silent) socket.destroy();
    await until(async () => (await tunnel.answers('aborted')) === 2);

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200));
    expect(await tunnel.reservedBytes()).toBe(0);
  });

  describe('when a larger body exceeds their part', () => {
    const body = event(500 * KIB);
    let first: Socket;

    async function fill(bodyWaitMs: number): Promise<void> {
      await start({ bodyWaitMs }, { ERRATA_BODY_MEMORY: '640KiB' });
      first = await begin(body.length, body.subarray(0, 300 * KIB));
      await reserved(body.length);
    }

    it.each([
      ['plain', body, {}],
      ['gzip', gzipSync(body), { 'Content-Encoding': 'gzip' }],
    ])('has another one wait for room: %s', async (_, sent, headers) => {
      await fill(120_000);
      const arrival = once(tunnel.server, 'request');
      const other = tunnel.post(sent, headers);
      const [request] = (await arrival) as [IncomingMessage];
      await until(async () => request.isPaused() || (await tunnel.reservedBytes()) > body.length);

      first.write(body.subarray(300 * KIB));

      expect(await statusOn(first)).toBe(200);
      expect((await other).status).toBe(200);
    });

    it('H21: ends the wait of a client that has sent all and closes its connection', async () => {
      await fill(120_000);
      const arrival = once(tunnel.server, 'request');
      const leaving = await begin(100 * KIB, 100 * KIB);
      const [request] = (await arrival) as [IncomingMessage];
      // What does not fit lies unread in the process.
      await until(() => request.complete && request.isPaused());

      leaving.destroy();
      await until(() => request.destroyed);
      first.write(body.subarray(300 * KIB));

      expect(await statusOn(first)).toBe(200);
      await reserved(0);
      expect(await tunnel.answers('aborted')).toBe(1);
    });

    it.each([
      ['one that has waited too long', 50, body, {}],
      ['brotli at once', 120_000, brotliCompressSync(body), { 'Content-Encoding': 'br' }],
    ])('H9: answers 503 to %s', async (_, bodyWaitMs, sent, headers) => {
      await fill(bodyWaitMs);

      const { status } = await tunnel.post(sent, headers);

      expect(status).toBe(503);
      expect(await tunnel.answers('unavailable')).toBe(1);
    });
  });

  it('H9: answers 503 with Retry-After while there is no slot, and 200 when there is', async () => {
    await start({ bodyWaitMs: 50, largeBodies: 2 });
    const holders = [await begin(512 * KIB, 1), await begin(480 * KIB, 1)];

    const refused = await tunnel.post(event(400 * KIB));
    for (const holder of holders) holder.destroy();
    await until(async () => (await tunnel.answers('aborted')) === 2);
    const accepted = await tunnel.post(event(400 * KIB));

    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('5');
    expect(refused.headers['x-sentry-rate-limits']).not.toMatch(/error[;:]|feedback/);
    expect(accepted.status).toBe(200);
  });

  it('accepts a small error while larger bodies wait', async () => {
    await start({ bodyWaitMs: 120_000, largeBodies: 1 });
    const holder = await begin(512 * KIB, 1);
    const arrival = once(tunnel.server, 'request');
    const large = tunnel.post(event(400 * KIB));
    await arrival;

    const small = await tunnel.post(event(100));
    holder.destroy();

    expect(small.status).toBe(200);
    expect((await large).status).toBe(200);
  });

  it('H21: ends the wait of a client that closes its connection', async () => {
    await start({ bodyWaitMs: 120_000, largeBodies: 1 });
    await begin(512 * KIB, 1);
    const waiting = await begin(512 * KIB, 1);

    waiting.destroy();
    await until(async () => (await tunnel.answers('aborted')) === 1);

    expect(await tunnel.answers('unavailable')).toBe(0);
  });

  it('counts the decoded bytes of a body, with and without a length', async () => {
    await start({ largeBodies: 1 });
    await begin(512 * KIB, 1);
    const body = gzipSync(event(100 * KIB));

    const statuses = await Promise.all([
      tunnel.post(body, { 'Content-Encoding': 'gzip' }),
      tunnel.post(brotliCompressSync(event(100 * KIB)), { 'Content-Encoding': 'br' }),
      tunnel.send({ chunks: [event(30 * KIB), event(30 * KIB), event(30 * KIB)] }),
    ]);

    expect(statuses.map(({ status }) => status)).toEqual([503, 503, 503]);
  });

  it.each([
    ['203.0.113.7', '203.0.113.7', '203.0.113.8'],
    ['2001:db8:7:1::1', '2001:db8:7:2::1', '2001:db8:8:1::1'],
  ])('H20: answers 429 to the network of %s, also to %s, and to no other', async (first, same, other) => {
    await start({ largeBodies: 4, largeBodiesOfNetwork: 2 }, { ERRATA_TRUST_PROXY: '127.0.0.1' });
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    for (let count = 0; count < 2; count += 1) await begin(512 * KIB, 1, first);
    const body = event(400 * KIB);

    const answers = [
      await tunnel.post(body, from(same)),
      await tunnel.post(event(100), from(same)),
      await tunnel.post(body, from(other)),
      await tunnel.post(body),
    ];

    expect(answers.map(({ status }) => status)).toEqual([429, 200, 200, 200]);
    expect(answers[0]?.headers['retry-after']).toBe('15');
  });

  it('H9, H20: gives a network the slot of another with too many, whose youngest body gets 503', async () => {
    const limits = { bodyWaitMs: 50, largeBodies: 4, largeBodiesOfNetwork: 4 };
    await start(limits, { ERRATA_TRUST_PROXY: '127.0.0.1' });
    const holders: Socket[] = [];
    for (let count = 0; count < 4; count += 1) holders.push(await begin(512 * KIB, 1, '203.0.113.7'));

    // Takes longer than a timer of Node may be early, which would spare the youngest.
    await tunnel.post(event(100));
    await begin(512 * KIB, 1, '198.51.100.9');
    await reserved(5);
    holders[3]?.write(Buffer.alloc(70 * KIB, '{'));

    expect(await statusOn(holders[3] as Socket)).toBe(503);
    expect(await tunnel.answers('unavailable')).toBe(1);
  });

  it('H4: charges an inflated event of /store/ and the envelope made of it', async () => {
    await start({}, { ERRATA_TRUST_PROXY: '127.0.0.1' });
    const address = '203.0.113.7';
    const store = async (bytes: number): Promise<number> => {
      const zlib = deflateSync(JSON.stringify({ message: 'x'.repeat(bytes) }));
      const path = '/api/42/store/?sentry_key=abcdef0123456789abcdef0123456789';
      const headers = { 'X-Forwarded-For': address };
      return (await tunnel.send({ path, headers, body: zlib.toString('base64') })).status;
    };
    // Its network has 192 KiB for several larger bodies.
    await begin(400 * KIB, 1, address);
    await reserved(1);

    const statuses = [await store(50 * KIB), await store(110 * KIB), await store(250 * KIB)];

    expect(statuses).toEqual([200, 429, 429]);
  });

  it('has nothing reserved after a flood of bodies that end in every way', async () => {
    await start({ bodyWaitMs: 50, bodySweepMs: 50, largeBodies: 4 });
    const noise = randomBytes(200 * KIB);
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
      () => tunnel.post(event(300 * KIB)),
      () => tunnel.send({ chunks: [event(100 * KIB)] }),
      () => tunnel.post(gzipSync(event(400 * KIB)), { 'Content-Encoding': 'gzip' }),
      () => tunnel.post(gzipSync(Buffer.alloc(4 * MIB)), { 'Content-Encoding': 'gzip' }),
      () => tunnel.post(gzipSync(noise).subarray(0, -9), { 'Content-Encoding': 'gzip' }),
      () => tunnel.post(noise),
      () => tunnel.post(Buffer.alloc(600 * KIB)),
      () => tunnel.send({ chunks: [Buffer.alloc(600 * KIB, 32)] }),
      () => tunnel.post(envelope({ dsn: UPSTREAM.replace('42', '43') }, [{ type: 'event' }, '{}'])),
      () => tunnel.post(event(10), { 'Content-Encoding': 'br' }),
      () => tunnel.post(brotliCompressSync(event(400 * KIB)), { 'Content-Encoding': 'br' }),
      () => tunnel.post(brotliCompressSync(Buffer.alloc(4 * MIB)), { 'Content-Encoding': 'br' }),
      () => tunnel.post(event(10), { 'Content-Encoding': 'compress' }),
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
