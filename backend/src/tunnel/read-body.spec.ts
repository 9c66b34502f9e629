import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { begun, memory, MIB } from './body-memory.fixture.ts';
import { BodyPace } from './body-pace.ts';
import { readBody } from './read-body.ts';
import { envelope, EVENT_ID, UPSTREAM } from './test/envelopes.fixture.ts';
import { bytesOf, TunnelServer, until } from './test/tunnel-server.fixture.ts';

const EVENT = envelope({ event_id: EVENT_ID, dsn: UPSTREAM }, [{ type: 'event' }, '{"message":"hi"}']);
/** EVENT as sentry-python sends it where the module brotli is installed: quality 4 and the module's other defaults. */
const SENTRY_PYTHON = brotliOf({ [constants.BROTLI_PARAM_QUALITY]: 4 }, 22, EVENT);
const SMALL = { ERRATA_ENVELOPE_MAX_BYTES: '64KiB' };

describe('content encodings', () => {
  let tunnel: TunnelServer;

  beforeEach(async () => {
    tunnel = await TunnelServer.start({ environment: SMALL, limits: { compressedMaxBytes: 32 * 1024 } });
  });

  afterEach(() => tunnel.stop());

  it.each([
    ['gzip', gzipSync(EVENT)],
    ['x-gzip', gzipSync(EVENT)],
    ['GZIP', gzipSync(EVENT)],
    ['gzip', Buffer.concat([gzipSync(EVENT.subarray(0, 50)), gzipSync(EVENT.subarray(50))])],
    ['deflate', deflateSync(EVENT)],
    ['zstd', zstdCompressSync(EVENT)],
    ['br', brotliCompressSync(EVENT)],
    ['br', SENTRY_PYTHON],
    ['identity', EVENT],
    ['', EVENT],
    ['UTF-8', EVENT],
  ] as const)('H3: decodes the encoding "%s"', async (encoding, body) => {
    const answer = await tunnel.post(body, { 'Content-Encoding': encoding });

    expect(answer.status).toBe(200);
    expect((await tunnel.queued()).map(bytesOf)).toEqual([EVENT]);
  });

  it.each([
    ['compress', EVENT],
    ['gzip, gzip', gzipSync(gzipSync(EVENT))],
    ['identity, gzip', gzipSync(EVENT)],
    ['br, br', brotliCompressSync(brotliCompressSync(EVENT))],
    ['__proto__', EVENT],
  ] as const)('H3: rejects the encoding "%s" with 415', async (encoding, body) => {
    const answer = await tunnel.post(body, { 'Content-Encoding': encoding });

    expect(answer.status).toBe(415);
    expect(answer.headers['x-sentry-error']).toBe(answer.body.detail);
    expect(await tunnel.queued()).toEqual([]);
  });

  it.each([
    ['raw deflate', 'deflate', deflateRawSync(EVENT)],
    ['zlib that ends too early', 'deflate', deflateSync(EVENT).subarray(0, -2)],
    ['bytes after zlib', 'deflate', Buffer.concat([deflateSync(EVENT), Buffer.from('x')])],
    ['gzip that ends too early', 'gzip', gzipSync(EVENT).subarray(0, -3)],
    ['text after the last member of gzip', 'gzip', Buffer.concat([gzipSync(EVENT), Buffer.from('x')])],
    ['zeros after the last member of gzip', 'gzip', Buffer.concat([gzipSync(EVENT), Buffer.alloc(8)])],
    ['gzip that is none', 'gzip', EVENT],
    ['gzip in gzip', 'gzip', gzipSync(gzipSync(EVENT))],
    ['zstd that ends too early', 'zstd', zstdCompressSync(EVENT).subarray(0, -1)],
    ['bytes after zstd', 'zstd', Buffer.concat([zstdCompressSync(EVENT), Buffer.from('x')])],
    ['brotli that ends too early', 'br', brotliCompressSync(EVENT).subarray(0, -1)],
    ['bytes after brotli', 'br', Buffer.concat([brotliCompressSync(EVENT), Buffer.from('x')])],
    ['brotli that is none', 'br', EVENT],
    ['no brotli at all', 'br', Buffer.alloc(0)],
  ] as const)('H3: rejects %s with 400', async (_, encoding, body) => {
    const answer = await tunnel.post(body, { 'Content-Encoding': encoding });

    expect(answer.status).toBe(400);
    expect(await tunnel.queued()).toEqual([]);
  });

  it('H3: rejects bytes after the last gzip member in a later chunk', async () => {
    const headers = { 'Content-Encoding': 'gzip' };
    const chunks = [gzipSync(EVENT), Buffer.alloc(3)];

    expect((await tunnel.send({ headers, chunks })).status).toBe(400);
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(8 * 2 ** 20))],
    ['deflate', deflateSync(Buffer.alloc(8 * 2 ** 20))],
    ['zstd', zstdCompressSync(Buffer.alloc(8 * 2 ** 20))],
    ['br', brotliCompressSync(Buffer.alloc(8 * 2 ** 20))],
  ] as const)('H4: rejects %s that is too large once decoded', async (encoding, bomb) => {
    const answer = await tunnel.post(bomb, { 'Content-Encoding': encoding });

    expect(answer.status).toBe(413);
    expect(await tunnel.queued()).toEqual([]);
  });

  it.each(['gzip', 'br'])('H4: limits the compressed size of %s, too', async (encoding) => {
    const headers = { 'Content-Encoding': encoding };
    const noise = randomBytes(40 * 1024);

    expect((await tunnel.post(noise, headers)).status).toBe(413);
    expect((await tunnel.send({ headers, chunks: [noise] })).status).toBe(413);
  });

  it.each([
    ['zstd with a window of 128 MiB', 'zstd', zstdOf({ [constants.ZSTD_c_windowLog]: 27 })],
    ['zstd with a window of 3.75 TiB', 'zstd', Buffer.from('28b52ffd00ff09000041', 'hex')],
    ['brotli with a window of 1 GiB', 'br', brotliOf({ [constants.BROTLI_PARAM_LARGE_WINDOW]: 1 }, 30)],
  ] as const)('H4: rejects %s', async (_, encoding, body) => {
    expect((await tunnel.post(body, { 'Content-Encoding': encoding })).status).toBe(400);
  });
});

it('H21: reads no body of a client that has sent all and left, as before a slow middleware', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}');
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  await until(() => request.complete);
  client.destroy();
  await until(() => request.destroyed);

  const limits = { maxBytes: MIB, compressedMaxBytes: MIB, pace: new BodyPace() };
  const read = await readBody(request, limits, begun(memory(), 2));
  server.close();

  expect(read.outcome).toBe('aborted');
});

/** Not in one chunk, which would be a part of Node's pool. */
const LONG = randomBytes(200 * 1024);

it.each([
  ['', LONG],
  ['gzip', gzipSync(LONG)],
  ['br', brotliCompressSync(LONG)],
])(
  'holds no body with the encoding "%s" once it is read, although its request lives',
  async (coding, body) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const headers = `Content-Encoding: ${coding}\r\nContent-Length: ${body.length}`;
    client.write(`POST / HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`);
    const [request] = (await once(server, 'request')) as [IncomingMessage];
    client.write(body);

    const limits = { maxBytes: MIB, compressedMaxBytes: MIB, pace: new BodyPace() };
    const buffer = await readBody(request, limits, begun(memory(), MIB)).then((read) =>
      read.outcome === 'ok' ? new WeakRef(read.bytes.buffer) : null,
    );
    await new Promise((resolve) => setImmediate(resolve));
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();

    expect(buffer).toBeInstanceOf(WeakRef);
    expect([buffer?.deref(), request.complete]).toEqual([undefined, true]);
    client.destroy();
    server.close();
  },
);

function zstdOf(params: Readonly<Record<number, number>>): Buffer {
  return zstdCompressSync(Buffer.alloc(30 * 2 ** 20), { params });
}

function brotliOf(params: Readonly<Record<number, number>>, windowBits: number, bytes = EVENT): Buffer {
  return brotliCompressSync(bytes, { params: { ...params, [constants.BROTLI_PARAM_LGWIN]: windowBits } });
}
