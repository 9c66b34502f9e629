import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { oneAtATime } from './pipelined-requests.ts';

const REQUEST = 'GET /file HTTP/1.1\r\nHost: errata.example\r\n\r\n';
const LAST = REQUEST.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');

describe('oneAtATime', () => {
  let server: Server;
  let client: Socket;
  /** Responses of the requests that have begun, in their order. */
  let begun: ServerResponse[];

  beforeEach(async () => {
    begun = [];
    server = createServer(
      oneAtATime((_, response) => {
        begun.push(response);
        server.emit('begun');
      }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    client = connect(port, '127.0.0.1');
  });

  afterEach(async () => {
    client.destroy();
    server.close();
    await once(server, 'close');
  });

  it('begins each request of a connection after the response before it, and responds in their order', async () => {
    const received = text(client);
    client.write(`${REQUEST}${REQUEST}${LAST}`);

    const atOnce: number[] = [];
    for (let number = 0; number < 3; number += 1) {
      if (begun.length <= number) await once(server, 'begun');
      atOnce.push(begun.length);
      begun[number]?.end(`answer ${number}`);
    }

    expect(atOnce).toEqual([1, 2, 3]);
    expect((await received).match(/answer \d/g)).toEqual(['answer 0', 'answer 1', 'answer 2']);
  });

  it('begins no request that waits when its connection closes', async () => {
    client.write(REQUEST.repeat(20));
    await once(server, 'begun');

    client.destroy();
    await once(begun[0] as ServerResponse, 'close');

    expect(begun).toHaveLength(1);
  });

  it('ends the connection of a client that has sent too many ahead', async () => {
    client.on('error', () => undefined);
    client.write(REQUEST.repeat(34));

    await once(client, 'close');

    expect(begun).toHaveLength(1);
  });

  it('ends the connection of a client that has sent too many bytes ahead, each request by itself', async () => {
    client.on('error', () => undefined);
    const isClosed = new Promise((resolve) => client.once('close', resolve));
    const upload = `POST /file HTTP/1.1\r\nHost: x\r\nContent-Length: 8000\r\n\r\n${'x'.repeat(8_000)}`;
    client.write(REQUEST);
    await once(server, 'begun');
    const { socket } = begun[0] as ServerResponse & { readonly socket: Socket };
    const isRead = (bytes: number): boolean => socket.destroyed || socket.bytesRead >= bytes;
    for (let sent = 1; sent <= 20; sent += 1) {
      client.write(upload);
      while (!isRead(REQUEST.length + sent * upload.length))
        await new Promise((resolve) => setImmediate(resolve));
    }

    await isClosed;

    expect(begun).toHaveLength(1);
  });

  it('reads no more from a connection while a request waits, and then all of it', async () => {
    const body = 'x'.repeat(60_000);
    const upload = `POST /file HTTP/1.1\r\nHost: errata.example\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    client.write(upload.repeat(40));
    await once(server, 'begun');
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const readBytes = begun[0]?.socket?.bytesRead;

    for (let number = 0; number < 40; number += 1) {
      if (begun.length <= number) await once(server, 'begun');
      begun[number]?.end();
    }

    expect(readBytes).toBeLessThan(5 * body.length);
    expect(begun).toHaveLength(40);
  });

  it('serves as many requests on a connection as are sent one after the other, also after one that had to wait', async () => {
    client.write(REQUEST.repeat(2));
    for (let number = 0; number < 40; number += 1) {
      if (number > 1) client.write(REQUEST);
      if (begun.length <= number) await once(server, 'begun');
      begun[number]?.end();
      await once(client, 'data');
    }

    expect(begun).toHaveLength(40);
  });
});
