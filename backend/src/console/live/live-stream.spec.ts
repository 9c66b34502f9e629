import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LiveEvent } from '../../contract/live-api.ts';
import { LiveEventStream, type LiveStreamOptions } from './live-stream.ts';

const EVENT = { eventId: 'a1', title: 'line\nbreak' } as unknown as LiveEvent;

describe('LiveEventStream', () => {
  let server: Server;
  let stream: LiveEventStream;
  let response: ServerResponse;
  let received: IncomingMessage;
  let text: string;

  /** Opens a stream over a real connection. */
  async function open(options: Partial<LiveStreamOptions> = {}, heartbeatMs = 60_000): Promise<void> {
    const all = { isSignedIn: () => Promise.resolve(true), onEnd: () => {}, ...options };
    server = createServer((_, opened: ServerResponse) => {
      response = opened;
      stream = new LiveEventStream(response, all, heartbeatMs);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const sent = request({ port: (server.address() as AddressInfo).port }).end();
    [received] = (await once(sent, 'response')) as [IncomingMessage];
    text = '';
    received.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }

  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  async function until(wanted: string): Promise<void> {
    while (!text.includes(wanted)) await once(received, 'data');
  }

  it('is no thing to be stored, gathered or sniffed on its way', async () => {
    await open();

    expect(received.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    await until('retry: 3000\n\n');
  });

  it('writes events with the cursor to go on from, and first how many were passed over', async () => {
    await open();
    stream.take([EVENT], 7, 42);
    await until('line');

    expect(text).toContain(
      'id: 42\nevent: gap\ndata: {"events":7}\n\nid: 42\nevent: event\ndata: {"eventId":"a1","title":"line\\nbreak"}\n\n',
    );
  });

  it('sends comments while nothing comes', async () => {
    await open({}, 1);

    await until(':\n\n:\n\n');
    expect(text).toMatch(/^retry: 3000\n\n(?::\n\n)+$/);
  });

  it('ends with the session that opened it', async () => {
    let hasEnded = false;
    await open({ isSignedIn: () => Promise.resolve(false), onEnd: () => (hasEnded = true) }, 1);
    await once(received, 'end');

    expect(hasEnded).toBe(true);
  });

  it('continues while the store cannot check the session', async () => {
    let asked = 0;
    await open({ isSignedIn: () => Promise.reject(new Error(`away ${(asked += 1)}`)) }, 1);
    await until(':\n\n:\n\n');

    expect(asked).toBeGreaterThan(1);
    expect(received.complete).toBe(false);
  });

  it('says when its reader has gone', async () => {
    let report: (word: string) => void = () => {};
    const said = new Promise<string>((resolve) => (report = resolve));
    await open({ onEnd: () => report('gone') });
    received.destroy();

    expect(await said).toBe('gone');
  });

  it('is over at once, although its reader delays the end of the response and more events come', async () => {
    let ends = 0;
    await open({ onEnd: () => (ends += 1) });
    received.pause();
    const errors: unknown[] = [];
    response.on('error', (error) => errors.push(error));
    stream.take([{ ...EVENT, title: 'x'.repeat(2 ** 25) }], 0, 1);

    stream.end();
    stream.take([EVENT], 0, 2);
    stream.take([EVENT], 0, 3);
    await new Promise(setImmediate);

    expect({ ends, isOver: stream.isOver, isHeldOff: !response.writableFinished, errors }).toEqual({
      ends: 1,
      isOver: true,
      isHeldOff: true,
      errors: [],
    });
  });

  it('cuts off a reader that is far behind', async () => {
    await open();
    received.pause();
    const isGone = new Promise((resolve) => received.on('error', () => {}).once('close', resolve));
    const large = { ...EVENT, title: 'x'.repeat(2 ** 20) };
    for (let event = 0; event < 64; event += 1) stream.take([large], 0, event);
    received.resume();

    await isGone;
    expect(received.complete).toBe(false);
  });
});
