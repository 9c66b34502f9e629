import { randomBytes } from 'node:crypto';
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { envelope, EVENT_ID, UPSTREAM } from './test/envelopes.fixture.ts';
import { bytesOf, TunnelServer } from './test/tunnel-server.fixture.ts';

const EVENT = envelope({ event_id: EVENT_ID, dsn: UPSTREAM }, [{ type: 'event' }, '{"message":"hi"}']);
const SMALL = { ERRATA_ENVELOPE_MAX_BYTES: '64KiB' };

describe('content codings', () => {
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
    ['identity', EVENT],
    ['', EVENT],
    ['UTF-8', EVENT],
  ] as const)('H3: decodes the coding "%s"', async (coding, body) => {
    const answer = await tunnel.post(body, { 'Content-Encoding': coding });

    expect(answer.status).toBe(200);
    expect((await tunnel.held()).map(bytesOf)).toEqual([EVENT]);
  });

  it.each([
    ['br', brotliCompressSync(EVENT)],
    ['compress', EVENT],
    ['gzip, gzip', gzipSync(gzipSync(EVENT))],
    ['identity, gzip', gzipSync(EVENT)],
    ['__proto__', EVENT],
  ] as const)('H3: refuses the coding "%s" with 415', async (coding, body) => {
    const answer = await tunnel.post(body, { 'Content-Encoding': coding });

    expect(answer.status).toBe(415);
    expect(answer.headers['x-sentry-error']).toBe(answer.body.detail);
    expect(await tunnel.held()).toEqual([]);
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
  ] as const)('H3: refuses %s with 400', async (_, coding, body) => {
    const answer = await tunnel.post(body, { 'Content-Encoding': coding });

    expect(answer.status).toBe(400);
    expect(await tunnel.held()).toEqual([]);
  });

  it('H3: finds bytes after the last member of gzip that come later', async () => {
    const headers = { 'Content-Encoding': 'gzip' };
    const chunks = [gzipSync(EVENT), Buffer.alloc(3)];

    expect((await tunnel.send({ headers, chunks })).status).toBe(400);
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(8 * 2 ** 20))],
    ['deflate', deflateSync(Buffer.alloc(8 * 2 ** 20))],
    ['zstd', zstdCompressSync(Buffer.alloc(8 * 2 ** 20))],
  ] as const)(
    'H4: refuses %s that is too large once decoded, however small it came',
    async (coding, bomb) => {
      const answer = await tunnel.post(bomb, { 'Content-Encoding': coding });

      expect(answer.status).toBe(413);
      expect(await tunnel.held()).toEqual([]);
    },
  );

  it('H4: limits a compressed body as it is sent, too', async () => {
    const headers = { 'Content-Encoding': 'gzip' };
    const noise = gzipSync(randomBytes(40 * 1024));

    expect((await tunnel.post(noise, headers)).status).toBe(413);
    expect((await tunnel.send({ headers, chunks: [noise] })).status).toBe(413);
  });

  it('H4: refuses zstd that wants more memory for its window than any sender needs', async () => {
    const params = { [constants.ZSTD_c_windowLog]: 27 };
    const answer = await tunnel.post(zstdCompressSync(Buffer.alloc(30 * 2 ** 20), { params }), {
      'Content-Encoding': 'zstd',
    });

    expect(answer.status).toBe(400);
  });
});
