import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { readConfig } from '../config/config.ts';
import { ERROR_PAGES } from '../errors/error-pages.fixture.ts';
import type { FailedRequest, FailureRecorder } from '../errors/failure-recorder.ts';
import { Clients } from '../net/client-address.ts';
import type { TunnelController } from '../tunnel/tunnel.controller.ts';
import { newHttpServer } from './http-server.ts';

/** A tunnel with a bug, and the failures that the server records. */
function brokenTunnel(): {
  tunnel: TunnelController;
  recorder: FailureRecorder;
  recorded: (readonly [unknown, FailedRequest])[];
} {
  const recorded: (readonly [unknown, FailedRequest])[] = [];
  const tunnel = { serve: () => Promise.reject(new TypeError('a bug')) } as unknown as TunnelController;
  const recorder = {
    record: (thrown: unknown, request: FailedRequest) => {
      recorded.push([thrown, request]);
      return { digest: '7KQ4-M2XD', reference: '0000-0000' };
    },
  } as unknown as FailureRecorder;
  return { tunnel, recorder, recorded };
}

describe('newHttpServer', () => {
  let recorded: (readonly [unknown, FailedRequest])[];
  let server: Server;
  let port: number;

  beforeEach(async () => {
    const broken = brokenTunnel();
    recorded = broken.recorded;
    const notFound: RequestListener = (_request, response) => response.writeHead(404).end();
    const config = readConfig({});
    const clients = new Clients(config, { warn: () => {} });
    server = newHttpServer(config, { ...broken, pages: ERROR_PAGES, clients }, notFound);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });

  afterEach(() => server.close());

  /** Writes bytes and reads until the server closes. */
  async function raw(...pieces: readonly string[]): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay();
    const read: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => read.push(chunk));
    socket.on('error', () => {});
    const isClosed = once(socket, 'close');
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) await new Promise((resolve) => server.getConnections(resolve));
      socket.write(piece);
    }
    await isClosed;
    return Buffer.concat(read).toString();
  }

  const cookie = (kib: number): string => `Cookie: a=${'x'.repeat(kib * 1024)}`;
  const head = (...headers: readonly string[]): string =>
    ['GET /console HTTP/1.1', 'Host: x', ...headers, '', ''].join('\r\n');

  it('answers 500 with a digest when the tunnel itself fails, and lives on', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/tunnel`, { method: 'POST', body: 'x' });

    expect(response.status).toBe(500);
    expect(response.headers.get('x-errata-digest')).toBe('7KQ4-M2XD');
    expect(response.headers.get('x-errata-reference')).toBe('0000-0000');
    expect(await response.json()).toEqual({ detail: 'internal error', causes: [] });
    expect(recorded).toMatchObject([[{ message: 'a bug' }, { route: '/tunnel', status: 500 }]]);
  });

  it.each([
    ['cookies of 17 KiB', head('Sec-Fetch-Dest: document', cookie(17))],
    ['cookies of 17 KiB before the other headers', head(cookie(17), 'Sec-Fetch-Dest: document')],
    ['cookies of 17 KiB, over plain http', head('Accept: text/html,*/*;q=0.8', cookie(17))],
    ['cookies of 40 KiB, more than the parser reads', head('sec-fetch-dest: document', cookie(40))],
  ])('shows a page to a navigation with %s', async (_, request) => {
    const response = await raw(request);

    expect(response).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(response).toMatch(/^content-type: text\/html; charset=utf-8\r$/im);
    expect(response).toMatch(/^connection: close\r$/im);
    expect(response).toMatch(/^x-robots-tag: noindex\r$/im);
    expect(response).toMatch(/^content-security-policy: default-src 'none'; style-src 'sha256-/im);
    expect(response).toContain('<title>431: Request headers too large</title>');
    expect(response).toContain(
      '<h1>431</h1><p>Request headers too large. Clear the cookies of this site and reload.</p>',
    );
  });

  it.each([
    [9_000, 8],
    [17_000, 1],
    [40_000, 1],
  ])(
    'answers 414 to a URL of %i bytes, longer than cookies of %i KiB and all other headers',
    async (bytes, kib) => {
      const page = head('Sec-Fetch-Dest: document', cookie(kib)).replace(
        '/console',
        `/?${'x'.repeat(bytes)}`,
      );
      const script = page.replace('document', 'empty');

      expect(await raw(page)).toMatch(
        /^HTTP\/1\.1 414 URI Too Long\r\n[^]*<p>Address too long\. Open the site /,
      );
      expect(await raw(script)).toMatch(
        /^HTTP\/1\.1 414 [^]*\r\n\r\n\{.*"status":414,"detail":"the URL is too long","causes":\[\]\}$/,
      );
    },
  );

  it.each([
    ['17 KiB', head('Sec-Fetch-Dest: empty', 'Accept: text/html', cookie(17))],
    ['17 KiB, from a program', head('Accept: */*', cookie(17))],
    ['40 KiB', head('Sec-Fetch-Dest: empty', cookie(40))],
  ])('answers problem details to a request with headers of %s that is no navigation', async (_, request) => {
    const response = await raw(request);

    expect(response).toMatch(/^HTTP\/1\.1 431 /);
    expect(response).toMatch(/^content-type: application\/problem\+json\r$/im);
    expect(response).toContain('"status":431,"detail":"request headers are too large","causes":[]}');
  });

  it('allows the bytes that the parser of Node allows by default, one less than 16 KiB', async () => {
    const others = Array.from({ length: 30 }, (_, index) => `x-header-${index}: ${index}`);
    const named = [
      'Host',
      'x',
      'Connection',
      'close',
      'Cookie',
      ...others.map((line) => line.replace(': ', '')),
    ].join('').length;
    const longest = 16 * 1024 - 1 - '/console'.length - named;
    const requestOf = (bytes: number): string =>
      head('Connection: close', ...others, `Cookie: ${'x'.repeat(bytes)}`);

    expect(await raw(requestOf(longest))).not.toContain(' 431 ');
    expect(await raw(requestOf(longest + 1))).toContain(' 431 ');
  });

  it('shows a page to a navigation whose headers come in several pieces', async () => {
    const request = head('Sec-Fetch-Dest: document', cookie(20));

    const response = await raw(request.slice(0, 8_000), request.slice(8_000, 18_000), request.slice(18_000));

    expect(response).toContain('<h1>431</h1>');
  });

  it.each([
    [431, head('Sec-Fetch-Dest: document', cookie(2_000))],
    [414, head('Sec-Fetch-Dest: document').replace('/console', `/${'x'.repeat(2_000 * 1024)}`)],
  ])(
    'lets a client read the page of a %i although it still sends, and then closes',
    async (status, request) => {
      const middle = Math.floor(request.length / 2);

      const response = await raw(request.slice(0, middle), request.slice(middle));

      expect(response).toContain(`<h1>${status}</h1>`);
      expect(response.match(/HTTP\/1\.1/g)).toHaveLength(1);
    },
  );
});
