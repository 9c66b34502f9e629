import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Client } from '../net/client-address.ts';
import { SpoolUnavailable } from '../spool/spool-thread.ts';
import { ManualTime } from '../time/manual-time.fixture.ts';
import type { StartTimer } from '../time/time-source.ts';
import { REFUSAL_PAUSE_MS, RefusalPause } from './refusal-pause.ts';
import { UNAVAILABLE_SECONDS } from './response.ts';
import { envelope, UPSTREAM } from './test/envelopes.fixture.ts';
import { TunnelServer, until } from './test/tunnel-server.fixture.ts';

describe('a refusal', () => {
  let [nowMs, waiting]: [number, (() => void)[]] = [0, []];
  const startTimer: StartTimer = (_delayMs, onDue) => {
    waiting.push(onDue);
    return () => {};
  };

  beforeEach(() => {
    [nowMs, waiting] = [0, []];
  });

  const direct = { address: 'a', isForwarded: false, isOperator: false, isLocal: false };
  const forwarded = { ...direct, isForwarded: true };

  it.each<[string, Client, number, Client, number, number]>([
    ['on its connection waits', direct, 1, direct, 1, 1],
    ['on another connection does not wait', direct, 1, direct, 2, 0],
    ['through a proxy waits on any connection', forwarded, 1, forwarded, 2, 1],
    [
      'on the connection of a proxy that another has used does not wait',
      forwarded,
      1,
      { ...forwarded, address: 'b' },
      1,
      0,
    ],
  ])('of a client that repeats %s', async (_what, first, firstPort, second, secondPort, expected) => {
    const pause = new RefusalPause(() => nowMs, startTimer);

    await pause.before(first, firstPort);
    void pause.before(second, secondPort);

    expect(waiting).toHaveLength(expected);
  });

  it('waits each time that a client has not waited for Retry-After since the last answer', async () => {
    const pause = new RefusalPause(() => nowMs, startTimer);
    const waits = async (afterMs: number): Promise<boolean> => {
      nowMs += afterMs;
      const answered = pause.before(direct, 1);
      const [end] = waiting;
      waiting = [];
      if (end !== undefined) nowMs += REFUSAL_PAUSE_MS;
      end?.();
      await answered;
      return end !== undefined;
    };
    const retryAfterMs = UNAVAILABLE_SECONDS * 1_000;

    const waited = [await waits(0), await waits(retryAfterMs - 1), await waits(retryAfterMs - 1)];
    expect([...waited, await waits(retryAfterMs), await waits(0)]).toEqual([false, true, true, false, true]);
  });

  it('does not wait if 4,096 others do, and again once they have ended', async () => {
    const pause = new RefusalPause(() => nowMs, startTimer);
    const ports = Array.from({ length: 4_097 }, (_, port) => port);
    await Promise.all(ports.map((port) => pause.before(direct, port)));

    const repeated = ports.map((port) => pause.before(direct, port));
    await repeated.at(-1);
    expect(waiting).toHaveLength(4_096);

    for (const end of waiting) end();
    await Promise.all(repeated);
    void pause.before(direct, 0);
    expect(waiting).toHaveLength(4_097);
  });

  const EVENT = envelope({ dsn: UPSTREAM }, [{ type: 'event' }, '{"message":"hi"}']);
  const send = (socket: Socket): void => {
    socket.write(`POST /tunnel HTTP/1.1\r\nHost: x\r\nContent-Length: ${EVENT.length}\r\n\r\n`);
    socket.write(EVENT);
  };
  const answerOf = async (socket: Socket): Promise<string> => {
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    return bytes.toString().split('\r\n', 1)[0] ?? '';
  };
  const REFUSED = 'HTTP/1.1 503 Service Unavailable';

  it('by an overloaded spool keeps a client that repeats at once waiting, without its body, and no other', async () => {
    const time = new ManualTime();
    const tunnel = await TunnelServer.start({ limits: { nowMs: time.nowMs, startTimer: time.startTimer } });
    let appends = 0;
    tunnel.spool.append = () => {
      appends += 1;
      return Promise.reject(new SpoolUnavailable('busy', 'too many envelopes wait for a commit'));
    };
    const [one, another] = [tunnel.connect(), tunnel.connect()];

    send(one);
    const first = await answerOf(one);
    send(one);
    await until(() => appends === 2);
    send(another);
    const besides = await answerOf(another);
    const [answers, reserved] = [await tunnel.answers('unavailable'), await tunnel.reservedBytes()];
    const second = answerOf(one);
    const answeredAtMs = await time.toNextTimer();

    expect([first, besides, await second]).toEqual([REFUSED, REFUSED, REFUSED]);
    expect({ answers, reserved, answeredAtMs }).toEqual({
      answers: 2,
      reserved: 0,
      answeredAtMs: REFUSAL_PAUSE_MS,
    });
    await tunnel.stop();
  });

  it('for another reason is answered at once each time', async () => {
    const tunnel = await TunnelServer.start({ limits: { startTimer: () => () => {} } });
    tunnel.spool.append = () => Promise.reject(new SpoolUnavailable('full', 'the spool is full'));
    const socket = tunnel.connect();

    send(socket);
    const first = await answerOf(socket);
    send(socket);

    expect([first, await answerOf(socket)]).toEqual([REFUSED, REFUSED]);
    await tunnel.stop();
  });
});
