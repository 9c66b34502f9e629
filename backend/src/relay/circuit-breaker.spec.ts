import { CircuitBreaker } from './circuit-breaker.ts';
import { NO_SENDER } from '../sink/queued-envelope.ts';
import type { FailureScope } from '../sink/sink.ts';
import { spooledEnvelope } from '../spool/spool.fixture.ts';

const OPTIONS = { backoff: { minMs: 100, maxMs: 1_000 }, pauseProbeMs: 5_000 };

/** Without jitter, so that pauses are exact. */
function newBreaker(): CircuitBreaker {
  return new CircuitBreaker(OPTIONS, () => 1);
}

function from(origin: string | null, type = 'event') {
  return spooledEnvelope(`{"type":"${type}"}\n{}`, { sender: { ...NO_SENDER, origin } });
}

function first(scope: FailureScope, envelope = from(null)) {
  return { scope, isRepeated: false, reason: scope, retryAfterMs: null, envelope };
}

function again(scope: FailureScope) {
  return { ...first(scope), isRepeated: true };
}

describe('CircuitBreaker', () => {
  it('pauses longer with each failure of the sink', () => {
    const breaker = newBreaker();

    const pauses = [0, 1_000, 2_000].map((nowMs) => breaker.failed(first('sink'), nowMs));

    expect(pauses).toEqual([100, 200, 400]);
    expect(breaker.state).toBe('failing');
  });

  it.each([
    ['connection', ['failing', 'failing', 'failing', 'failing', 'failing']],
    ['sink', ['failing', 'failing', 'failing', 'failing', 'failing']],
    ['envelope', ['flowing', 'flowing', 'flowing', 'flowing', 'failing']],
    ['refusal', ['flowing', 'flowing', 'flowing', 'flowing', 'failing']],
    ['page', ['flowing', 'flowing', 'flowing', 'flowing', 'failing']],
    ['dsn', ['failing', 'failing', 'failing', 'failing', 'paused']],
  ] as const)('scope %s of different envelopes in a row: %j', (scope, expected) => {
    const breaker = newBreaker();

    const states = [1, 2, 3, 4, 5].map((at) => {
      breaker.failed(first(scope), at * 10_000);
      return breaker.state;
    });

    expect(states).toEqual(expected);
  });

  it.each([
    ['connection', 'failing'],
    ['sink', 'flowing'],
    ['envelope', 'flowing'],
    ['refusal', 'flowing'],
    ['page', 'flowing'],
    ['dsn', 'failing'],
  ] as const)('scope %s of an envelope that failed before: %s', (scope, state) => {
    const breaker = newBreaker();

    for (let at = 0; at < 4; at += 1) breaker.failed(again(scope), at * 10_000);

    expect(breaker.state).toBe(state);
  });

  it('opens when only the sink fails five times in a row, also for envelopes that failed before', () => {
    const breaker = newBreaker();

    const pauses = [1, 2, 3, 4, 5].map((at) => breaker.failed(again('sink'), at * 10_000));

    expect(pauses).toEqual([0, 0, 0, 0, 100]);
    expect(breaker.state).toBe('failing');
  });

  it('counts from 0 after an accepted envelope', () => {
    const breaker = newBreaker();

    for (let at = 0; at < 8; at += 1) {
      if (at === 4) breaker.succeeded(at);
      breaker.failed(first('envelope'), at);
    }

    expect(breaker.state).toBe('flowing');
  });

  it('pauses after each failed probe, also of an envelope that failed before', () => {
    const breaker = newBreaker();
    breaker.failed(first('sink'), 0);

    expect(breaker.failed(again('envelope'), 1_000)).toBe(200);
  });

  it.each(['envelope', 'refusal', 'page', 'dsn'] as const)('scope %s: pauses at most 10 s', (scope) => {
    const breaker = new CircuitBreaker({ ...OPTIONS, backoff: { minMs: 500, maxMs: 60_000 } }, () => 1);
    const longest = (of: FailureScope, fromMs: number): number =>
      Math.max(...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) => breaker.failed(first(of), fromMs + at * 1e5)));

    expect([longest(scope, 0), longest('sink', 1e6)]).toEqual([10_000, 60_000]);
  });

  it('counts deliveries that fail together as one failure', () => {
    const breaker = newBreaker();
    breaker.failed(first('sink'), 0);

    expect(breaker.failed(first('sink'), 10)).toBe(90);
    expect(breaker.failed(first('sink'), 200)).toBe(200);
  });

  it('returns the length of the outage when the sink accepts an envelope again', () => {
    const breaker = newBreaker();
    breaker.failed(first('sink'), 1_000);

    expect(breaker.succeeded(31_000)).toBe(30_000);
    expect(breaker.state).toBe('flowing');
    expect(breaker.succeeded(32_000)).toBe(0);
  });

  it('pauses a DSN that is rejected five times in a row, and probes it rarely', () => {
    const breaker = newBreaker();

    const pauses = [1, 2, 3, 4, 5].map((at) => breaker.failed(again('dsn'), at * 10_000));

    expect(pauses).toEqual([100, 200, 400, 800, 5_000]);
    expect(breaker.state).toBe('paused');
  });

  it('opens at the fifth rejection until a minute after an accepted envelope, and pauses the DSN only then', () => {
    const breaker = newBreaker();
    breaker.succeeded(0, from(null));

    const states = [0, 1, 2, 3, 4, 20, 30, 40, 60, 61].map((second) => {
      breaker.failed(again('dsn'), second * 1_000);
      return breaker.state;
    });

    expect([states.indexOf('failing'), states.indexOf('paused')]).toEqual([4, 9]);
  });

  it('does not pause a DSN for rejections of one origin', () => {
    const breaker = newBreaker();

    const ofOne = first('dsn', from('https://shop.example'));
    const pauses = [1, 2, 3, 4, 5].map((at) => breaker.failed(ofOne, at * 10_000));

    expect(pauses).toEqual([100, 200, 400, 800, 1_000]);
    expect(breaker.health(50_000, 0)).toMatchObject({ state: 'failing', reason: 'dsn' });
  });

  it.each(['envelope', 'refusal', 'page', 'dsn'] as const)(
    'scope %s: goes on while one kind fails and others are accepted',
    (scope) => {
      const breaker = newBreaker();
      breaker.failed(first(scope), 0);
      breaker.succeeded(0, from(null, 'session'));

      for (let at = 0; at < 9; at += 1) breaker.failed(first(scope), at);

      expect(breaker.state).toBe('flowing');
    },
  );

  it.each([
    ['refusal', 60_000, 'flowing'],
    ['refusal', 60_001, 'failing'],
    ['envelope', 0, 'failing'],
    ['page', 0, 'failing'],
  ] as const)('scope %s of five kinds, %i ms after an accepted envelope: %s', (scope, atMs, state) => {
    const breaker = newBreaker();
    breaker.succeeded(0, from(null));

    for (let at = 0; at < 5; at += 1) breaker.failed(first(scope, from(`https://${at}.example`)), atMs);

    expect(breaker.state).toBe(state);
  });

  it.each([
    ['refusal', [false, true]],
    ['page', [false, true]],
    ['sink', [false, false]],
    ['connection', [false, false]],
  ] as const)(
    'after failures of scope %s, the failed kind and another one may be sent: %j',
    (scope, expected) => {
      const breaker = newBreaker();

      for (let at = 0; at < 5; at += 1) breaker.failed(first(scope), at);

      expect([from(null), from(null, 'session')].map((one) => breaker.maySend(one))).toEqual(expected);
    },
  );

  it('lets no kind pass in the pause that a sink asked for, whatever comes back in it', () => {
    const breaker = newBreaker();
    breaker.failed({ ...first('sink'), retryAfterMs: 60_000 }, 0);

    breaker.failed(first('refusal'), 10);

    expect(breaker.maySend(from(null, 'session'))).toBe(false);
  });

  it('counts concurrent rejections of the DSN once', () => {
    const breaker = newBreaker();

    for (let at = 0; at < 6; at += 1) breaker.failed(first('dsn'), 10);

    expect(breaker.state).toBe('failing');
  });

  it('stays paused when a probe fails for another reason, until an envelope is accepted', () => {
    const breaker = newBreaker();
    for (const at of [1, 2, 3, 4, 5]) breaker.failed(first('dsn'), at * 10_000);

    const pauseMs = breaker.failed(first('sink'), 100_000);
    const before = breaker.state;
    breaker.succeeded(200_000);

    expect([pauseMs, before, breaker.state]).toEqual([5_000, 'paused', 'flowing']);
  });

  it('pauses as long as the sink asks for, also when that is known later', () => {
    const breaker = newBreaker();

    const pauses = [
      breaker.failed({ ...first('sink'), retryAfterMs: 3_000 }, 0),
      breaker.failed({ ...first('sink'), retryAfterMs: 9_000 }, 10),
      breaker.failed(first('sink'), 20),
    ];

    expect(pauses).toEqual([3_000, 9_000, 8_990]);
    expect(breaker.pausedUntilMs).toBe(9_010);
  });

  it('counts a failure that comes after its own pause, although the sink asked for a longer one', () => {
    const breaker = newBreaker();

    for (const at of [0, 200, 500, 1_000, 2_000])
      breaker.failed({ ...first('dsn'), retryAfterMs: 60_000 }, at);

    expect(breaker.health(2_000, 0)).toMatchObject({ state: 'paused', rejections: { times: 5 } });
  });

  it('keeps the longer one of two pauses', () => {
    const breaker = newBreaker();

    expect([breaker.pause(500, 0), breaker.pause(100, 100), breaker.pause(900, 200)]).toEqual([
      500, 400, 900,
    ]);
  });

  it('goes on with a pause that is not for a failure of the sink', () => {
    const breaker = newBreaker();
    breaker.pause(500, 0);

    breaker.succeeded(100);

    expect(breaker.pausedUntilMs).toBe(500);
  });

  it('counts a failure of the sink in a pause that is not for one', () => {
    const breaker = newBreaker();
    breaker.pause(500, 0);

    breaker.failed(first('sink'), 100);

    expect(breaker.state).toBe('failing');
  });

  it('reports state, reason, first failure, next attempt and rejections', () => {
    const breaker = newBreaker();
    const wallMs = 1e12;
    const reports = [breaker.health(0, wallMs)];
    breaker.failed(first('envelope'), 0);
    reports.push(breaker.health(30, wallMs), breaker.health(30, wallMs, false));
    breaker.failed(first('connection'), 0);
    reports.push(breaker.health(40, wallMs), breaker.health(100, wallMs));
    for (const at of [1, 2, 3, 4]) breaker.failed({ ...again('dsn'), status: 403 }, at * 10_000);
    breaker.failed(again('dsn'), 50_000);
    reports.push(breaker.health(50_000, wallMs));
    breaker.succeeded(60_000);
    reports.push(breaker.health(60_000, wallMs));

    expect(reports).toEqual([
      { state: 'flowing', reason: null },
      { state: 'flowing', reason: 'envelope', sinceMs: wallMs - 30 },
      { state: 'flowing', reason: null },
      { state: 'failing', reason: 'connection', sinceMs: wallMs - 40, nextAttemptMs: wallMs + 60 },
      { state: 'failing', reason: 'connection', sinceMs: wallMs - 100 },
      {
        state: 'paused',
        reason: 'dsn_rejected',
        sinceMs: wallMs - 50_000,
        nextAttemptMs: wallMs + 5_000,
        rejections: { times: 5, status: null },
      },
      { state: 'flowing', reason: null },
    ]);
  });
});
