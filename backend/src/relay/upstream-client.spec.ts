import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WITHOUT_LIMITS } from './relay.fixture.ts';
import { UpstreamClient } from './upstream-client.ts';

const MARK = [0xef, 0xbb, 0xbf];

describe('UpstreamClient', () => {
  let server: Server;
  let client: UpstreamClient;
  /** Chunks of the next response. */
  let chunks: readonly (string | readonly number[])[];
  /** Declared length of its body, if it is to be longer than the chunks: the connection ends within the body. */
  let declaredLength: number | null;

  beforeEach(async () => {
    declaredLength = null;
    server = createServer((_request, response) => {
      if (declaredLength !== null) response.setHeader('content-length', declaredLength);
      response.flushHeaders();
      // Without a declared length, each write is a chunk of its own for the client, however the network joins them.
      for (const chunk of chunks) response.write(Buffer.from(chunk as string));
      if (declaredLength === null) response.end();
      else response.socket?.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = new UpstreamClient({
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      path: '/',
      connections: 1,
      ...WITHOUT_LIMITS,
    });
  });

  afterEach(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });

  async function firstByte(): Promise<string | undefined> {
    const { firstByte: byte } = await client.post({}, Buffer.from('{}'));
    return byte === undefined ? undefined : String.fromCharCode(byte);
  }

  it.each([
    ['no body', [], undefined],
    ['blanks alone', [' \t', '\r\n'], undefined],
    ['a page', ['<html>'], '<'],
    ['blanks and a page', [' \t\r\n<html>'], '<'],
    ['blanks in chunks of their own', [' ', '\r\n', '\t<html>'], '<'],
    ['a byte order mark', [[...MARK, 0x3c]], '<'],
    ['a byte order mark in two chunks', [MARK.slice(0, 1), [...MARK.slice(1), 0x20], '<html>'], '<'],
    ['a text with a page in it', ['O', 'K <html>'], 'O'],
    ['JSON', [' ', '{"id":"<"}'], '{'],
  ])('H22: finds the first byte of %s', async (_case, body, expected) => {
    chunks = body;

    expect(await firstByte()).toBe(expected);
  });

  it('finds the first byte of a body that is cut off', async () => {
    chunks = ['<html>'];
    declaredLength = 1_000;

    expect(await firstByte()).toBe('<');
  });

  it('finds the first byte of a body that is too long', async () => {
    chunks = ['<html>', 'x'.repeat(70_000)];

    expect(await firstByte()).toBe('<');
  });

  it('returns the status of a response whose body is cut off before its first byte', async () => {
    chunks = [];
    declaredLength = 1_000;

    expect(await client.post({}, Buffer.from('{}'))).toMatchObject({ status: 200, firstByte: undefined });
  });
});
