import { Backoff } from './backoff.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

const OPTIONS = { backoff: { minMs: 100, maxMs: 1_000 }, pauseProbeMs: 5_000 };

/** Without jitter, so that pauses can be told. */
function health(): CircuitBreaker {
  return new CircuitBreaker(OPTIONS, new Backoff(100, 1_000, () => 1));
}

describe('LaneHealth', () => {
  it('pauses longer with each failure of the sink', () => {
    const lane = health();

    const pauses = [0, 1_000, 2_000].map((nowMs) => lane.failed(1, 'sink', nowMs));

    expect(pauses).toEqual([100, 200, 400]);
    expect(lane.state).toBe('failing');
  });

  it('counts deliveries that fail together as one failure', () => {
    const lane = health();
    lane.failed(1, 'sink', 0);

    expect(lane.failed(2, 'sink', 10)).toBe(90);
    expect(lane.failed(1, 'sink', 200)).toBe(200);
  });

  it('tells how long the sink was down once it takes one', () => {
    const lane = health();
    lane.failed(1, 'sink', 1_000);

    expect(lane.took(1, 31_000)).toBe(30_000);
    expect(lane.state).toBe('flowing');
    expect(lane.took(2, 32_000)).toBe(0);
  });

  it('never gives an envelope up while nothing else is taken', () => {
    const lane = health();

    const verdicts = Array.from({ length: 50 }, (_, at) => lane.failed(1, 'envelope', at * 10_000));

    expect(verdicts).not.toContain('give_up');
  });

  it('gives an envelope up that failed five times while others were taken', () => {
    const lane = health();

    const verdicts = Array.from({ length: 6 }, (_, at) => {
      lane.took(100 + at, at * 1_000);
      return lane.failed(1, 'envelope', at * 1_000);
    });

    expect(verdicts).toEqual([100, 100, 100, 100, 100, 'give_up']);
  });

  it('pauses a DSN that is refused five times in a row, and probes it now and then', () => {
    const lane = health();

    const verdicts = [1, 2, 3, 4, 5].map((id) => lane.failed(id, 'dsn', id * 10_000));

    expect(verdicts).toEqual([100, 200, 400, 800, 5_000]);
    expect(lane.state).toBe('paused');
  });

  it('goes on with a paused DSN as soon as one is taken', () => {
    const lane = health();
    for (const id of [1, 2, 3, 4, 5]) lane.failed(id, 'dsn', id * 10_000);

    lane.took(6, 100_000);

    expect(lane.state).toBe('flowing');
  });

  it.each([
    ['dsn', 5],
    ['sink', 20],
  ] as const)(
    'gives an envelope up for failures of scope %s after %i failures between successes',
    (scope, count) => {
      const lane = health();

      const verdicts = Array.from({ length: count + 1 }, (_, at) => {
        lane.took(100 + at, at * 1_000);
        return lane.failed(1, scope, at * 1_000);
      });

      expect(verdicts.indexOf('give_up')).toBe(count);
    },
  );

  it('never gives an envelope up of which nothing was sent', () => {
    const lane = health();

    const verdicts = Array.from({ length: 100 }, (_, at) => {
      lane.took(100 + at, at * 1_000);
      return lane.failed(1, 'connection', at * 1_000);
    });

    expect(verdicts).not.toContain('give_up');
  });

  it('counts one strike for refusals that come together', () => {
    const lane = health();

    for (const id of [1, 2, 3, 4, 5, 6]) lane.failed(id, 'dsn', 10);

    expect(lane.state).toBe('failing');
  });
});
