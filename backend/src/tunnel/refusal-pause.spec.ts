import { once } from 'node:events';
import type { Socket } from 'node:net';
import { SpoolUnavailable } from '../spool/spool-thread.ts';
import { ManualTime } from '../time/manual-time.fixture.ts';
import type { StartTimer } from '../time/time-source.ts';
import { REFUSAL_PAUSE_MS, RefusalPause } from './refusal-pause.ts';
import { UNAVAILABLE_SECONDS } from './response.ts';
import { envelope, UPSTREAM } from './test/envelopes.fixture.ts';
import { TunnelServer, until } from './test/tunnel-server.fixture.ts';

describe('a refusal', () => {
  const retryAfterMs = UNAVAILABLE_SECONDS * 1_000;
  let [nowMs, waiting]: [number, (() => void)[]] = [0, []];
  const startTimer: StartTimer = (_delayMs, onDue) => {
    waiting.push(onDue);
    return () => {};
  };

  beforeEach(() => {
    [nowMs, waiting] = [0, []];
  });

  it.each<[string, number, string, number]>([
    ['waits', retryAfterMs - 1, 'a', 1],
    ['does not wait after Retry-After', retryAfterMs, 'a', 0],
    ['of another client on the connection of a proxy does not wait', 0, 'b', 0],
  ])('that is repeated %s', async (_what, afterMs, address, expected) => {
    const pause = new RefusalPause({ nowMs: () => nowMs, startTimer });
    const [one, another] = [{}, {}];

    await pause.before(one, 'a');
    await pause.before(another, 'a');
    nowMs += afterMs;
    const repeated = pause.before(one, address);

    expect(waiting).toHaveLength(expected);
    for (const end of waiting) end();
    await repeated;
  });

  it('does not wait if 4,096 others do, and again once they have ended', async () => {
    const pause = new RefusalPause({ nowMs: () => nowMs, startTimer });
    const connections = Array.from({ length: 4_097 }, () => ({}));
    await Promise.all(connections.map((each) => pause.before(each, 'a')));
    const [last = {}] = connections.slice(-1);

    const repeated = connections.map((each) => pause.before(each, 'a'));
    await repeated.at(-1);
    expect(waiting).toHaveLength(4_096);

    for (const end of waiting) end();
    await Promise.all(repeated);
    void pause.before(last, 'a');
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
