import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import express from 'express';
import { Deadline } from '../time/deadline.ts';
import { ManualTime } from '../time/manual-time.fixture.ts';
import { ConnectionDrain } from './connection-drain.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const DRAIN_TIMEOUT_MS = 10_000;

/** Requests that a server has received and not answered, in their order. */
type Received = ServerResponse[];

/** The public listener is Node's server, the management listener is Express, which changes the class of its responses. */
const LISTENERS: readonly (readonly [string, (received: Received) => RequestListener])[] = [
  ["Node's server", (received) => (_, response) => void received.push(response)],
  ['Express', (received) => express().use((_, response) => void received.push(response))],
];

describe.each(LISTENERS)('ConnectionDrain of %s', (_, listenerOf) => {
  let received: Received;
  let server: Server;
  let time: ManualTime;
  let drain: ConnectionDrain;
  let clients: Socket[];

  beforeEach(async () => {
    received = [];
    clients = [];
    server = createServer(listenerOf(received));
    time = new ManualTime();
    drain = new ConnectionDrain(server, time);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    for (const client of clients) client.destroy();
    server.close();
  });

  async function open(): Promise<Socket> {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    clients.push(client);
    await Promise.all([once(client, 'connect'), once(server, 'connection')]);
    return client;
  }

  async function send(client: Socket): Promise<void> {
    client.write(REQUEST);
    await once(server, 'request');
  }

  /** Answers the oldest request and returns the answer as its client reads it. */
  async function answer(client: Socket): Promise<string> {
    received.shift()?.end('an answer');
    const [bytes] = (await once(client, 'data')) as [Buffer];
    return bytes.toString();
  }

  /** Opens a connection whose only request was answered. */
  async function openIdle(): Promise<Socket> {
    const client = await open();
    await send(client);
    expect(await answer(client)).toMatch(/^Connection: keep-alive\r$/m);
    return client;
  }

  it('says on the answer to a request after the announcement that the connection closes', async () => {
    drain.announce();

    const client = await open();
    await send(client);

    expect(await answer(client)).toMatch(/^Connection: close\r$/m);
    await once(client, 'close');
  });

  it('says so on the answer to a request from before the announcement', async () => {
    const client = await open();
    await send(client);

    drain.announce();

    expect(await answer(client)).toMatch(/^Connection: close\r$/m);
  });

  it('answers a request on an idle connection within the second, and closes the others after it', async () => {
    const [used, unused] = [await openIdle(), await openIdle()];
    const unusedCloses = once(unused, 'close');

    const closed = drain.close(new Deadline(DRAIN_TIMEOUT_MS, time));
    await send(used);
    const late = await answer(used);
    const isOpen = !unused.readableEnded && server.listening;
    const stopsAtMs = await time.toNextTimer();
    await time.toNextTimer();

    expect(late).toMatch(/^Connection: close\r$/m);
    expect(isOpen).toBe(true);
    expect(stopsAtMs).toBe(1_000);
    await unusedCloses;
    await closed;
  });

  it('counts the second from the announcement', async () => {
    await openIdle();
    drain.announce();
    await time.toNextTimer();

    const closed = drain.close(new Deadline(DRAIN_TIMEOUT_MS, time));
    const sweptAtMs = await time.toNextTimer();
    await closed;

    expect(sweptAtMs).toBe(1_250);
  });

  it('closes as soon as the clients have closed the idle connections', async () => {
    const client = await openIdle();

    const closed = drain.close(new Deadline(DRAIN_TIMEOUT_MS, time));
    client.end();
    await closed;

    expect(time.nowMs()).toBe(0);
  });

  it('does not wait a second for a connection that never sent anything', async () => {
    const unused = await open();
    const isClosed = once(unused, 'close');

    const closed = drain.close(new Deadline(DRAIN_TIMEOUT_MS, time));
    const sweptAtMs = await time.toNextTimer();
    await closed;

    expect(sweptAtMs).toBe(250);
    await isClosed;
  });

  it('answers the first request of a connection from right before the end', async () => {
    const client = await open();

    const closed = drain.close(new Deadline(DRAIN_TIMEOUT_MS, time));
    while (server.listening) await nextTurn();
    await send(client);

    expect(await answer(client)).toMatch(/^Connection: close\r$/m);
    await closed;
  });

  it('answers the clients that are connected and that it has not accepted', async () => {
    const { port } = server.address() as AddressInfo;
    clients = Array.from({ length: 10 }, () => connect(port, '127.0.0.1'));
    const closed = Promise.allSettled(clients.map((client) => once(client, 'close')));
    for (const client of clients) client.resume().write(REQUEST);
    server.on('request', () => received.shift()?.end());
    drain.announce();
    await nextTurn();

    await drain.close(new Deadline(DRAIN_TIMEOUT_MS, time));

    const results = await closed;
    expect(results.map(({ status }) => status)).toEqual(clients.map(() => 'fulfilled'));
  });

  it('cuts a request that is still in flight at the deadline', async () => {
    const client = await open();
    const isClosed = once(client, 'close');
    await send(client);

    const closed = drain.close(new Deadline(DRAIN_TIMEOUT_MS, time));
    await time.moveUntil(() => received[0]?.closed === true);

    expect(time.nowMs()).toBe(DRAIN_TIMEOUT_MS);
    await isClosed;
    await closed;
  });

  it('does not wait a second for connections before a deadline that is sooner', async () => {
    const client = await open();
    const isClosed = once(client, 'close');
    await send(client);

    const closed = drain.close(new Deadline(300, time));
    const leftAtMs = await time.toNextTimer();
    while (server.listening) await nextTurn();
    const cutAtMs = await time.toNextTimer();

    expect([leftAtMs, cutAtMs]).toEqual([300, 300]);
    await isClosed;
    await closed;
  });
});

/** A failure is a change of Node: adapt ConnectionDrain, as the sentence says. */
describe("Node's HTTP server, as ConnectionDrain needs it", () => {
  let server: Server;
  let clients: Socket[];

  beforeEach(async () => {
    clients = [];
    server = createServer(({ url }, response) => void (url === '/' && response.end('an answer')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    for (const client of clients) client.destroy();
    server.close();
  });

  /** Opens a connection and returns both its ends. */
  async function open(): Promise<{ readonly client: Socket; readonly accepted: Socket }> {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    clients.push(client);
    const [accepted] = (await once(server, 'connection')) as [Socket];
    return { client, accepted };
  }

  it.each<readonly [string, (server: Server) => void, object]>([
    [
      'cuts nothing by the close() of net.Server, else another way must stop accepting',
      (each) => void NetServer.prototype.close.call(each),
      { idle: false, unused: false, busy: false },
    ],
    [
      'cuts by its own close() connections that may still send a request, else call that one',
      (each) => void each.close(),
      { idle: true, unused: true, busy: false },
    ],
    [
      'cuts by closeIdleConnections() all without a request, else the sweep must find them',
      (each) => each.closeIdleConnections(),
      { idle: true, unused: true, busy: false },
    ],
  ])('%s', async (_, close, cut) => {
    const [idle, busy, unused] = [await open(), await open(), await open()];
    idle.client.write(REQUEST);
    await once(idle.client, 'data');
    busy.client.write(REQUEST.replace('/', '/busy'));
    await once(server, 'request');

    close(server);

    expect({
      idle: idle.accepted.destroyed,
      unused: unused.accepted.destroyed,
      busy: busy.accepted.destroyed,
    }).toEqual(cut);
  });
});
