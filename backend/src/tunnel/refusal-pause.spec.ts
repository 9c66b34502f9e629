import { once } from 'node:events';
import type { Socket } from 'node:net';
import { SpoolUnavailable } from '../spool/spool-thread.ts';
import { ManualTime } from '../time/manual-time.fixture.ts';
import { REFUSAL_PAUSE_MS, RefusalPause } from './refusal-pause.ts';
import { UNAVAILABLE_SECONDS } from './response.ts';
import { envelope, UPSTREAM } from './test/envelopes.fixture.ts';
import { TunnelServer, until } from './test/tunnel-server.fixture.ts';

describe('a refusal', () => {
  it('waits only if its connection was refused a short time ago', async () => {
    let nowMs = 0;
    const pauses: number[] = [];
    const pause = new RefusalPause({
      nowMs: () => nowMs,
      startTimer: (delayMs, onDue) => {
        nowMs += delayMs;
        pauses.push(nowMs);
        onDue();
        return () => {};
      },
    });
    const [one, another] = [{}, {}];
    const retryAfterMs = UNAVAILABLE_SECONDS * 1_000;

    await pause.before(one);
    await pause.before(another);
    expect(pauses).toEqual([]);

    nowMs = retryAfterMs - 1;
    await pause.before(one);
    const answeredAtMs = retryAfterMs - 1 + REFUSAL_PAUSE_MS;
    expect(pauses).toEqual([answeredAtMs]);

    nowMs = answeredAtMs + retryAfterMs;
    await pause.before(one);
    expect(pauses).toHaveLength(1);
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
