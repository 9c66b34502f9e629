import type { FailureScope } from '../sink/sink.ts';
import { FailedEnvelopes } from './failed-envelopes.ts';

const BOUNDS = { minMs: 100, maxMs: 1_000 };

/** Without jitter, so that times are exact. */
function newFailed(): FailedEnvelopes {
  return new FailedEnvelopes(BOUNDS, () => 1);
}

describe('FailedEnvelopes', () => {
  it.each([
    ['envelope', 20],
    ['sink', 20],
    ['page', 20],
    ['dsn', 60],
    ['refusal', 2],
  ] as const)(
    'scope %s: gives an envelope up at its failure number %i, others accepted between',
    (scope, count) => {
      const failed = newFailed();

      const verdicts = Array.from({ length: count }, (_, at) => {
        failed.accepted(100 + at);
        return failed.failed(1, scope, null, 0);
      });

      expect(verdicts.indexOf('give_up')).toBe(count - 1);
      expect(failed.has(1)).toBe(false);
    },
  );

  it.each(['envelope', 'sink', 'page', 'refusal', 'dsn'] satisfies FailureScope[])(
    'scope %s: never gives an envelope up while no other is accepted',
    (scope) => {
      const failed = newFailed();
      failed.accepted(100);

      const verdicts = Array.from({ length: 100 }, () => failed.failed(1, scope, null, 0));

      expect(new Set(verdicts)).toEqual(new Set(['wait']));
    },
  );

  it('gives an envelope up at its 20th failure, if others were accepted before ten of them', () => {
    const failed = newFailed();

    const verdicts = Array.from({ length: 20 }, (_, at) => {
      if (at % 2 === 0) failed.accepted(100 + at);
      return failed.failed(1, 'envelope', null, 0);
    });

    expect(verdicts.indexOf('give_up')).toBe(19);
  });

  it('keeps an envelope that failed more often, if others were accepted before nine of the failures', () => {
    const failed = newFailed();

    const verdicts = Array.from({ length: 40 }, (_, at) => {
      if (at < 9) failed.accepted(100 + at);
      return failed.failed(1, 'envelope', null, 0);
    });

    expect(verdicts).not.toContain('give_up');
  });

  it('never gives up an envelope if none of its bytes was sent', () => {
    const failed = newFailed();

    const verdicts = Array.from({ length: 50 }, (_, at) => {
      failed.accepted(100 + at);
      return failed.failed(1, 'connection', null, 0);
    });

    expect(new Set(verdicts)).toEqual(new Set(['wait']));
  });

  it('lets each envelope wait for its own next try, longer after each failure', () => {
    const failed = newFailed();
    failed.failed(1, 'envelope', null, 0);
    failed.failed(1, 'envelope', null, 100);
    failed.failed(2, 'envelope', null, 150);

    expect(failed.next()).toEqual({ id: 2, dueAtMs: 250 });
    failed.take(2);
    expect(failed.next()).toEqual({ id: 1, dueAtMs: 300 });
    failed.take(1);
    expect(failed.next()).toBeUndefined();
    failed.putBack(2);
    expect(failed.next()).toEqual({ id: 2, dueAtMs: 0 });
  });

  it.each([
    [1, 10_000],
    [3, 30_000],
    [9, 60_000],
  ])('%i of them that fail while nothing is accepted: each is tried every %i ms', (count, expected) => {
    const failed = new FailedEnvelopes({ minMs: 500, maxMs: 60_000 }, () => 1);
    for (let id = 2; id <= count; id += 1) failed.wait(id, Infinity);

    for (let at = 0; at < 20; at += 1) failed.failed(1, 'envelope', null, 0);

    expect(failed.next()).toEqual({ id: 1, dueAtMs: expected });
  });

  it('tries a rejected one every 2 s while others are accepted', () => {
    const failed = new FailedEnvelopes({ minMs: 500, maxMs: 60_000 }, () => 1);

    for (let at = 0; at < 20; at += 1) {
      failed.accepted(100);
      failed.failed(1, 'dsn', null, 0);
    }

    expect(failed.next()).toEqual({ id: 1, dueAtMs: 2_000 });
  });

  it('makes those due that failed in vain when another one is accepted, but none that failed beside accepted ones', () => {
    const failed = newFailed();
    failed.failed(1, 'envelope', null, 0);
    failed.accepted(100);
    for (const id of [1, 2, 2, 3, 3]) failed.failed(id, 'envelope', null, 0);
    failed.take(3);
    failed.accepted(101);

    expect(failed.next()).toEqual({ id: 2, dueAtMs: 0 });
    failed.take(2);
    expect(failed.next()).toEqual({ id: 1, dueAtMs: 200 });
  });

  it('makes all due, but for those that were taken', () => {
    const failed = newFailed();
    for (const id of [1, 2]) failed.failed(id, 'envelope', null, 0);
    failed.take(1);

    failed.putAllBack();

    expect(failed.next()).toEqual({ id: 2, dueAtMs: 0 });
  });

  it('waits for the Retry-After of the sink', () => {
    const failed = newFailed();

    failed.failed(1, 'sink', 30_000, 0);

    expect(failed.next()).toEqual({ id: 1, dueAtMs: 30_000 });
  });

  it('forgets an envelope that the sink accepted, and its failures', () => {
    const failed = newFailed();
    failed.failed(1, 'refusal', null, 0);
    failed.accepted(1);

    expect(failed.next()).toBeUndefined();
    expect(failed.failed(1, 'refusal', null, 0)).toBe('wait');
  });

  it('distinguishes an envelope that waits from one that failed', () => {
    const failed = newFailed();
    failed.wait(1, 500);
    failed.failed(2, 'envelope', null, 0);

    expect([failed.hasFailed(1), failed.hasFailed(2)]).toEqual([false, true]);
    expect(failed.next()).toEqual({ id: 2, dueAtMs: 100 });
  });

  it.each(['refusal', 'dsn'] as const)('scope %s: counts only failures of that scope', (scope) => {
    const failed = newFailed();
    const fail = (of: FailureScope) => {
      failed.accepted(100);
      return failed.failed(1, of, null, 0);
    };
    const others = Array.from({ length: 10 }, () => fail('envelope'));

    expect([...others, fail(scope)]).not.toContain('give_up');
  });

  it('counts failures of the sink and of the envelope together', () => {
    const failed = newFailed();

    const verdicts = Array.from({ length: 20 }, (_, at) => {
      failed.accepted(100 + at);
      return failed.failed(1, at % 2 === 0 ? 'sink' : 'envelope', null, 0);
    });

    expect(verdicts.indexOf('give_up')).toBe(19);
  });

  it('remembers 10,000 envelopes, and returns those that failed longest ago as untried once there is room', () => {
    const failed = newFailed();
    for (let id = 0; id < 10_000; id += 1) failed.failed(id, 'envelope', null, 0);
    failed.failed(0, 'envelope', null, 0);
    failed.failed(10_001, 'envelope', null, 0);
    failed.failed(10_002, 'envelope', null, 0);

    expect([0, 1, 2, 3].map((id) => failed.has(id))).toEqual([true, false, false, true]);
    expect(failed.ids()).toHaveLength(10_000);
    expect(failed.takeForgotten()).toBeUndefined();
    for (let id = 3; id < 1_003; id += 1) failed.forget(id);
    expect(failed.takeForgotten()).toBe(1);
    expect(failed.takeForgotten()).toBeUndefined();
  });
});
