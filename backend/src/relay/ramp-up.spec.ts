import { RampUp } from './ramp-up.ts';

/** Envelopes sent in each second, by somebody who sends as soon as he may. */
function sentPerSecond(rate: RampUp, seconds: number): readonly number[] {
  const counts = Array.from({ length: seconds }, () => 0);
  for (let nowMs = 0; nowMs < seconds * 1_000; nowMs += 1) {
    while (rate.waitMs(nowMs) === 0) {
      rate.sent(nowMs);
      const second = Math.floor(nowMs / 1_000);
      counts[second] = (counts[second] ?? 0) + 1;
    }
  }
  return counts;
}

describe('DrainRate', () => {
  it('doubles each second up to its maximum', () => {
    expect(sentPerSecond(new RampUp(20, 0), 8)).toEqual([1, 2, 4, 8, 16, 20, 20, 20]);
  });

  it('saves nothing up while nobody sends', () => {
    const rate = new RampUp(10, 0);

    for (let count = 0; rate.waitMs(60_000) === 0; count += 1) {
      if (count > 10) throw new Error('a burst');
      rate.sent(60_000);
    }

    expect(rate.waitMs(60_000)).toBeGreaterThan(0);
  });
});
