import { once } from 'node:events';
import { envelope, EVENT_ID, UPSTREAM } from './envelopes.fixture.ts';
import { type ServerOptions, TunnelServer, until, type Way } from './tunnel-server.fixture.ts';

const EVENT = envelope({ event_id: EVENT_ID, dsn: UPSTREAM }, [{ type: 'event' }, '{"message":"hi"}']);
const SMALL = { ERRATA_ENVELOPE_MAX_BYTES: '64KiB' };
const head = (...headers: readonly string[]) =>
  ['POST /tunnel HTTP/1.1', 'Host: x', ...headers, '', ''].join('\r\n');

it('measures a commit without the upload of its body', async () => {
  let nowMs = 0;
  const tunnel = await TunnelServer.start({ limits: { nowMs: () => nowMs } });
  const socket = tunnel.connect();
  const isAnswered = once(socket, 'data');
  socket.write(head(`Content-Length: ${EVENT.length}`));
  socket.write(EVENT.subarray(0, 40));
  await once(tunnel.server, 'request');
  nowMs = 3_000;
  socket.write(EVENT.subarray(40));
  await isAnswered;

  const seconds = await tunnel.metrics.registry.getSingleMetricAsString('errata_spool_commit_seconds');
  await tunnel.stop();

  expect(seconds).toContain('_bucket{le="1"} 1\n');
});

describe('a request that is broken or aborted', () => {
  let tunnel: TunnelServer;

  beforeEach(async () => {
    tunnel = await TunnelServer.start({ environment: SMALL });
  });

  afterEach(() => tunnel.stop());

  it('H6: is rejected before its body is read if its length is too large', async () => {
    const answer = await tunnel.raw(head(`Content-Length: ${64 * 1024 + 1}`));

    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer.toLowerCase()).toContain('connection: close');
  });

  it('H6: gets its response although the client goes on sending', async () => {
    const socket = tunnel.connect();
    const read: string[] = [];
    socket.on('data', (chunk: Buffer) => read.push(chunk.toString()));
    const isClosed = once(socket, 'close');
    socket.write(head(`Content-Length: ${2 ** 21}`));
    for (let sent = 0; sent < 32; sent += 1) socket.write(Buffer.alloc(64 * 1024, 32));

    const [hadError] = (await isClosed) as [boolean];

    expect(hadError).toBe(false);
    expect(read.join('')).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('H6: is cut if the client never stops sending', async () => {
    const socket = tunnel.connect();
    const isClosed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(head(`Content-Length: ${2 ** 30}`));
    const chunk = Buffer.alloc(256 * 1024, 32);
    const send = (): boolean => socket.writable && socket.write(chunk, () => send());

    send();
    await isClosed;

    expect(socket.bytesWritten).toBeLessThan(32 * 2 ** 20);
  });

  it('H21: leaves nothing behind when it is aborted in its body', async () => {
    const socket = tunnel.connect();
    socket.write(head(`Content-Length: ${EVENT.length}`));
    socket.write(EVENT.subarray(0, 40));
    await once(tunnel.server, 'request');
    socket.destroy();
    await until(async () => (await tunnel.answers('aborted')) === 1);

    expect(await tunnel.queued()).toEqual([]);
    expect(await tunnel.reservedBytes()).toBe(0);
  });

  // Each is one request to one parser and two to another: request smuggling (RFC 9112, 6.3 and 11.2).
  it.each([
    ['a length and chunks', head('Content-Length: 5', 'Transfer-Encoding: chunked') + '0\r\n\r\n'],
    ['chunks and a length', head('Transfer-Encoding: chunked', 'Content-Length: 5') + '0\r\n\r\n'],
    ['two lengths', head('Content-Length: 5', 'Content-Length: 6') + 'hello!'],
    ['two lengths in one header', head('Content-Length: 5, 6') + 'hello!'],
    ['a length that is no number', head('Content-Length: 0x5') + 'hello'],
    ['a negative length', head('Content-Length: -1')],
    ['chunks that are not the last encoding', head('Transfer-Encoding: chunked, identity') + '0\r\n\r\n'],
    ['an encoding that only looks like chunks', head('Transfer-Encoding: xchunked') + '0\r\n\r\n'],
    ['bare line feeds', 'POST /tunnel HTTP/1.1\nHost: x\nContent-Length: 5\n\nhello'],
    ['a bare line feed after a header', 'POST /tunnel HTTP/1.1\r\nHost: x\nContent-Length: 5\r\n\r\nhello'],
    ['a chunk size that is no number', head('Transfer-Encoding: chunked') + 'zz\r\nhello\r\n0\r\n\r\n'],
    ['a chunk that is longer than it says', head('Transfer-Encoding: chunked') + '2\r\nhello\r\n0\r\n\r\n'],
    ['a blank before the colon', head('Content-Length : 5') + 'hello'],
    ['a header that goes on in the next line', head('Content-Length: 5', ' X: y') + 'hello'],
    ['a NUL in a header', head('X-Nul: a\u0000b', 'Content-Length: 5') + 'hello'],
    ['no Host', 'POST /tunnel HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello'],
  ])('S4: with %s is answered 400 and its connection closed', async (_, request) => {
    const answer = await tunnel.raw(request);

    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(await tunnel.queued()).toEqual([]);
  });

  it('S4: never becomes two requests by the bytes after its body', async () => {
    const body = Buffer.concat([EVENT, Buffer.from('\n'), Buffer.from(head('Content-Length: 0'))]);

    const answer = await tunnel.raw(head('Connection: close', `Content-Length: ${body.length}`), body);

    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it.each(['Host: y', 'host: x', 'HOST: y'])('gets 400 for a second Host header: %s', async (second) => {
    const answer = await tunnel.raw(head(second, `Content-Length: ${EVENT.length}`), EVENT);

    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*connection: close[\s\S]*"more than one Host header"/i);
    expect(await tunnel.queued()).toEqual([]);
  });

  it('is accepted with a target in absolute form', async () => {
    const lines = ['POST http://x/tunnel HTTP/1.1', 'Host: x', 'Connection: close'];
    const request = [...lines, `Content-Length: ${EVENT.length}`, '', ''].join('\r\n');

    expect(await tunnel.raw(request, EVENT)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await tunnel.queued()).toHaveLength(1);
  });

  it('gets 431 when its headers are too large', async () => {
    expect(await tunnel.raw(head(`X-Large: ${'x'.repeat(17 * 1024)}`))).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('S9: gets no information about the server software', async () => {
    const answers = await Promise.all([
      tunnel.raw('NONSENSE /tunnel HTTP/1.1\r\nHost: x\r\n\r\n'),
      tunnel.raw('TRACE /tunnel HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
      tunnel.raw(head('Connection: close', 'Content-Length: 1') + 'x'),
    ]);

    expect(answers[0]).toMatch(/^HTTP\/1\.1 400 /);
    expect(answers[1]).toMatch(/^HTTP\/1\.1 405 [\s\S]*allow: POST, OPTIONS/i);
    expect(answers.join('')).not.toMatch(/x-powered-by|^server:|express|node/im);
  });
});

describe('a request that is slow', () => {
  let tunnel: TunnelServer;

  afterEach(() => tunnel.stop());

  async function start(limits: ServerOptions['limits'], way: Way = 'before Express'): Promise<void> {
    const environment = { ERRATA_HEADERS_TIMEOUT: '200ms' };
    tunnel = await TunnelServer.start({ environment, limits, way });
  }

  it.each([
    ['falls silent', 'before Express', head(`Content-Length: ${EVENT.length}`), EVENT.subarray(0, 40)],
    ['falls silent between chunks', 'before Express', head('Transfer-Encoding: chunked'), '5\r\n{"dsn\r\n'],
    [
      'falls silent in gzip',
      'before Express',
      head('Content-Encoding: gzip', 'Content-Length: 99'),
      '\u001f',
    ],
    ['falls silent in another application', 'middleware', head('Content-Length: 99'), '{'],
  ] as const)('H21: gets 408 when its body %s, and leaves nothing behind', async (_, way, sent, body) => {
    await start({ bodySweepMs: 5 }, way);

    const answer = await tunnel.raw(sent, body);

    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('{"detail":"the body came too slowly","causes":[]}');
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(await tunnel.answers('timeout')).toBe(1);
    expect(await tunnel.queued()).toEqual([]);
    expect(await tunnel.reservedBytes()).toBe(0);
  });

  it('H21: is cut although it goes on dripping', async () => {
    await start({ bodySweepMs: 5 });
    const socket = tunnel.connect();
    const isClosed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(head(`Content-Length: ${2 ** 20}`));
    const drip = (): boolean => socket.writable && socket.write('{', () => setImmediate(drip));

    drip();
    await isClosed;

    expect(await tunnel.answers('timeout')).toBe(1);
  });

  it('H21: gets 408 when the whole takes too long', async () => {
    await start({ bodyTimeoutMs: 200 });
    const answer = await tunnel.raw(head('Transfer-Encoding: chunked'), '5\r\n{"dsn\r\n');

    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    await until(async () => (await tunnel.answers('timeout')) === 1);
    expect(await tunnel.reservedBytes()).toBe(0);
  });

  it('H21: gets 408 when its headers are too slow', async () => {
    await start({});
    expect(await tunnel.raw('POST /tunnel HTTP/1.1\r\nHost: x\r\nX-Slow: ')).toMatch(/^HTTP\/1\.1 408 /);
  });
});
