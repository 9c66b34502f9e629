import { Backoff } from './backoff.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

const OPTIONS = { backoff: { minMs: 100, maxMs: 1_000 }, pauseProbeMs: 5_000 };

/** Without jitter, so that pauses are exact. */
function newBreaker(): CircuitBreaker {
  return new CircuitBreaker(OPTIONS, new Backoff(100, 1_000, () => 1));
}

describe('CircuitBreaker', () => {
  it('pauses longer with each failure of the sink', () => {
    const breaker = newBreaker();

    const pauses = [0, 1_000, 2_000].map((nowMs) => breaker.failed(1, 'sink', nowMs));

    expect(pauses).toEqual([100, 200, 400]);
    expect(breaker.state).toBe('failing');
  });

  it('counts deliveries that fail together as one failure', () => {
    const breaker = newBreaker();
    breaker.failed(1, 'sink', 0);

    expect(breaker.failed(2, 'sink', 10)).toBe(90);
    expect(breaker.failed(1, 'sink', 200)).toBe(200);
  });

  it('returns the length of the outage when the sink accepts an envelope again', () => {
    const breaker = newBreaker();
    breaker.failed(1, 'sink', 1_000);

    expect(breaker.succeeded(1, 31_000)).toBe(30_000);
    expect(breaker.state).toBe('flowing');
    expect(breaker.succeeded(2, 32_000)).toBe(0);
  });

  it('never gives an envelope up while no other is accepted', () => {
    const breaker = newBreaker();

    const verdicts = Array.from({ length: 50 }, (_, at) => breaker.failed(1, 'envelope', at * 10_000));

    expect(verdicts).not.toContain('give_up');
  });

  it('gives an envelope up that failed five times while others were accepted', () => {
    const breaker = newBreaker();

    const verdicts = Array.from({ length: 6 }, (_, at) => {
      breaker.succeeded(100 + at, at * 1_000);
      return breaker.failed(1, 'envelope', at * 1_000);
    });

    expect(verdicts).toEqual([100, 100, 100, 100, 100, 'give_up']);
  });

  it('pauses a DSN that is rejected five times in a row, and probes it rarely', () => {
    const breaker = newBreaker();

    const verdicts = [1, 2, 3, 4, 5].map((id) => breaker.failed(id, 'dsn', id * 10_000));

    expect(verdicts).toEqual([100, 200, 400, 800, 5_000]);
    expect(breaker.state).toBe('paused');
  });

  it('resumes a paused DSN as soon as an envelope is accepted', () => {
    const breaker = newBreaker();
    for (const id of [1, 2, 3, 4, 5]) breaker.failed(id, 'dsn', id * 10_000);

    breaker.succeeded(6, 100_000);

    expect(breaker.state).toBe('flowing');
  });

  it.each([
    ['dsn', 5],
    ['sink', 20],
  ] as const)('scope %s: gives an envelope up after %i failures between successes', (scope, count) => {
    const breaker = newBreaker();

    const verdicts = Array.from({ length: count + 1 }, (_, at) => {
      breaker.succeeded(100 + at, at * 1_000);
      return breaker.failed(1, scope, at * 1_000);
    });

    expect(verdicts.indexOf('give_up')).toBe(count);
  });

  it('never gives an envelope up that was not sent', () => {
    const breaker = newBreaker();

    const verdicts = Array.from({ length: 100 }, (_, at) => {
      breaker.succeeded(100 + at, at * 1_000);
      return breaker.failed(1, 'connection', at * 1_000);
    });

    expect(verdicts).not.toContain('give_up');
  });

  it('counts concurrent rejections of the DSN once', () => {
    const breaker = newBreaker();

    for (const id of [1, 2, 3, 4, 5, 6]) breaker.failed(id, 'dsn', 10);

    expect(breaker.state).toBe('failing');
  });

  it('moves from flowing to failing to paused and back to flowing', () => {
    const breaker = newBreaker();

    const states = [1, 2, 3, 4, 5, 6].map((id) => {
      breaker.failed(id, 'dsn', id * 10_000);
      return breaker.state;
    });
    breaker.succeeded(7, 100_000);

    expect(states).toEqual(['failing', 'failing', 'failing', 'failing', 'paused', 'paused']);
    expect(breaker.state).toBe('flowing');
  });

  it('stays paused when a probe fails for another reason', () => {
    const breaker = newBreaker();
    for (const id of [1, 2, 3, 4, 5]) breaker.failed(id, 'dsn', id * 10_000);

    const pauseMs = breaker.failed(6, 'sink', 100_000);

    expect(pauseMs).toBe(5_000);
    expect(breaker.state).toBe('paused');
  });

  it('returns to flowing from failing', () => {
    const breaker = newBreaker();
    breaker.failed(1, 'sink', 0);

    breaker.succeeded(1, 1_000);

    expect(breaker.state).toBe('flowing');
  });
});
