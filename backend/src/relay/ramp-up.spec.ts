import { RampUp } from './ramp-up.ts';

/** Envelopes sent in each second from a time on, by a dispatcher that sends as soon as it may. */
function sentPerSecond(rampUp: RampUp, seconds: number, fromMs = 0): readonly number[] {
  const counts = Array.from({ length: seconds }, () => 0);
  for (let nowMs = fromMs; nowMs < fromMs + seconds * 1_000; nowMs += 1) {
    while (rampUp.waitMs(nowMs) === 0) {
      rampUp.sent(nowMs);
      const second = Math.floor((nowMs - fromMs) / 1_000);
      counts[second] = (counts[second] ?? 0) + 1;
    }
  }
  return counts;
}

function started(maxPerSecond: number): RampUp {
  const rampUp = new RampUp(maxPerSecond);
  rampUp.start(0);
  return rampUp;
}

describe('RampUp', () => {
  it('doubles each second up to its maximum', () => {
    expect(sentPerSecond(started(20), 8)).toEqual([1, 2, 4, 8, 16, 20, 20, 20]);
  });

  it('saves up no unused capacity', () => {
    const rampUp = started(10);

    for (let count = 0; rampUp.waitMs(60_000) === 0; count += 1) {
      if (count > 10) throw new Error('a burst');
      rampUp.sent(60_000);
    }

    expect(rampUp.waitMs(60_000)).toBeGreaterThan(0);
  });

  it('halves the rate once a second at most, and grows again', () => {
    const rampUp = started(1_000);

    expect(sentPerSecond(rampUp, 5)).toEqual([1, 2, 4, 8, 16]);
    for (let failures = 0; failures < 10; failures += 1) rampUp.slow(5_000 + failures);

    expect(sentPerSecond(rampUp, 3, 5_000)).toEqual([16, 32, 64]);
  });

  it('limits nothing before its start, after its end, or without a maximum', () => {
    const rampUp = started(10);
    rampUp.end();
    const unlimited = started(Infinity);

    expect([new RampUp(10).isActive, rampUp.isActive, unlimited.isActive]).toEqual([false, false, false]);
  });
});
