import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Pool } from 'undici';
import { connectorOf } from './connector.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n';
const FINAL = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
const WHOLE = CONTINUE + FINAL;
/** One in two parts, for each place where it can be cut. */
const CUT = Array.from(WHOLE, (_, at): [string, string[]] => [
  `a 100, cut at byte ${at}`,
  [WHOLE.slice(0, at), WHOLE.slice(at)],
]);

describe('connectorOf', () => {
  let server: Server;
  let pool: Pool;
  /** Parts of each response, each a read of its own. */
  let parts: readonly string[];
  let requests: number;
  let connections: number;

  async function respond(socket: Socket): Promise<void> {
    for (const part of parts) {
      socket.write(part);
      // Two turns of the event loop: the client reads in between.
      await setImmediate();
      await setImmediate();
    }
  }

  beforeEach(async () => {
    requests = 0;
    connections = 0;
    server = createServer((socket) => {
      connections += 1;
      socket.setNoDelay();
      socket.on('error', () => undefined);
      socket.on('data', () => {
        requests += 1;
        void respond(socket);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    pool = new Pool(origin, { connections: 1, connect: connectorOf({ timeout: 120_000 }) });
  });

  afterEach(async () => {
    await pool.destroy();
    server.close();
  });

  it.each<[string, string[]]>([
    ...CUT,
    ['no interim response', [FINAL]],
    ['a 100', [CONTINUE + FINAL]],
    ['a 100 in a read of its own', [CONTINUE, FINAL]],
    ['several', [HINTS + CONTINUE, HINTS, CONTINUE + HINTS + FINAL]],
    ['one without a reason', [`HTTP/1.1 100\r\n\r\n${FINAL}`]],
    ['one that is cut', ['HTTP/1.1 100 Continue\r\nX-A: b\r', `\n\r\n${FINAL}`]],
    ['one that comes byte by byte', [...WHOLE]],
    ['a body that begins like one', [FINAL.slice(0, -2), 'HT']],
    [
      'one before a long body',
      [CONTINUE + FINAL.replace('2\r\n\r\n{}', `70000\r\n\r\n${'x'.repeat(70_000)}`)],
    ],
  ])('H22: sends a request once when the response has %s, on one connection', async (_, response) => {
    parts = response;

    const statuses: number[] = [];
    for (let count = 0; count < 2; count += 1) {
      const { statusCode, body } = await pool.request({ method: 'POST', path: '/', body: '{}' });
      await body.dump();
      statuses.push(statusCode);
    }

    expect({ statuses, requests, connections }).toEqual({
      statuses: [200, 200],
      requests: 2,
      connections: 1,
    });
  });

  it.each([
    ['headers without an end', [`HTTP/1.1 100 Continue\r\nX-A: ${'a'.repeat(20_000)}`]],
    [
      'a change of the protocol',
      ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: a\r\nConnection: upgrade\r\n\r\n'],
    ],
  ])('ends a connection with %s', async (_, response) => {
    parts = response;

    await expect(pool.request({ method: 'POST', path: '/', body: '{}' })).rejects.toThrow(/bad|Headers/);
  });
});
