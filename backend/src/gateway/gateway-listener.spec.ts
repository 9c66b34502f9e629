import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { NOT_FOUND_TEXT, SERVER_ERROR_TEXT } from '../contract/texts.ts';
import { DEAD, OpenedListener } from './gateway-listener.fixture.ts';

let opened: OpenedListener;

beforeEach(async () => {
  opened = await OpenedListener.open();
});

afterEach(() => opened.close());

describe('a peer that is not trusted', () => {
  beforeEach(async () => {
    opened.close();
    opened = await OpenedListener.open({ clients: { isOperatorPeer: () => false } });
  });

  it.each([
    ['503', 503, SERVER_ERROR_TEXT],
    ['403', 403, 'Forbidden'],
    ['404', 404, NOT_FOUND_TEXT],
    ['200', 404, NOT_FOUND_TEXT],
  ])('gets the sentence of status %s, and no digest', async (code, status, sentence) => {
    const forged = { ...DEAD, 'X-Code': code, 'X-Format': 'text/html', 'X-Errata-Digest': 'forged' };
    const response = await opened.ask(
      { ...forged, 'Retry-After': '77', 'X-Forwarded-For': '127.0.0.1' },
      '/api/x',
    );

    expect([response.status, await response.text()]).toEqual([status, `${sentence}\n`]);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.has('x-errata-digest')).toBe(false);
    expect(response.headers.get('retry-after')).not.toBe('77');
    expect(opened.appended).toEqual([]);
  });

  it('is named in the log once a minute', async () => {
    for (const _ of 'ab') await opened.ask(DEAD);
    opened.time.startTimer(60_000, () => {});
    await opened.time.toNextTimer();
    await opened.ask(DEAD);

    expect(opened.lines).toEqual(
      Array.from({ length: 2 }, () =>
        expect.objectContaining({ level: 'warn', msg: 'gateway_untrusted', address: '127.0.0.1' }),
      ),
    );
  });
});

describe('the listener for gateways', () => {
  it.each([
    ['GET', '/healthz', {}, [200, 'ok\n']],
    ['HEAD', '/healthz', {}, [200, '']],
    ['GET', '/healthz', { 'X-Code': '503', Accept: 'text/plain' }, [503, expect.stringContaining('Digest')]],
    ['POST', '/healthz', { Accept: 'text/plain' }, [404, `${NOT_FOUND_TEXT}\n`]],
  ])('answers to %s %s with %j', async (method, path, headers, expected) => {
    const response = await opened.ask(headers, path, { method });

    expect([response.status, await response.text()]).toEqual(expected);
  });

  const HEAD = 'POST / HTTP/1.1\r\nHost: h\r\nX-Code: 503\r\nAccept: text/plain\r\n';
  const CLOSED =
    /^HTTP\/1.1 503 [^]*\r\nConnection: close\r\n[^]*\r\nApplication error: [^\r]*\nDigest: .{9}\n$/;

  it('answers to a body of 1 MiB, and closes the connection', async () => {
    const socket = connect(opened.port, '127.0.0.1');
    socket.write(`${HEAD}Content-Length: ${2 ** 20}\r\n\r\n`);
    socket.write(Buffer.alloc(2 ** 20));

    expect(await text(socket)).toMatch(CLOSED);
  });

  it('does not close the connection while a client that has its answer still sends', async () => {
    const socket = connect(opened.port, '127.0.0.1');
    const isClosed = once(socket, 'close');
    const isAnswered = new Promise<void>((resolve) => {
      let read = '';
      socket.on('data', (bytes: Buffer) => {
        read += bytes.toString();
        if (CLOSED.test(read)) resolve();
      });
    });

    socket.write(`${HEAD}Content-Length: 200000\r\n\r\n`);
    socket.write(Buffer.alloc(100_000));
    await isAnswered;

    expect(opened.responses[0]?.writableEnded).toBe(false);
    socket.write(Buffer.alloc(100_000));
    await isClosed;
  });

  it('answers to a body that never ends, and closes the connection', async () => {
    const chunk = `8000\r\n${'x'.repeat(0x80_00)}\r\n`;
    const socket = connect(opened.port, '127.0.0.1').on('error', () => {});
    let read = '';
    socket.on('data', (bytes: Buffer) => void (read += bytes.toString()));
    const isClosed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
    const send = (): void => {
      while (socket.write(chunk));
    };

    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    socket.on('drain', send);
    send();
    await isClosed;

    expect(read).toMatch(CLOSED);
  });

  it.each(['*', '//', '/%', 'http://[::1', 'http://u:p@shop.example/cart', `/${'../'.repeat(99)}`])(
    'answers to the target %s',
    async (target) => {
      const socket = connect(opened.port, '127.0.0.1');
      socket.write(`${HEAD.replace('POST /', `OPTIONS ${target}`)}Connection: close\r\n\r\n`);

      expect(await text(socket)).toMatch(CLOSED);
    },
  );

  it('keeps the connection after a small body', async () => {
    const response = await opened.ask(DEAD, '/', { method: 'POST', body: 'x'.repeat(64 * 1024) });

    expect([response.status, response.headers.get('connection')]).toEqual([503, 'keep-alive']);
  });
});
