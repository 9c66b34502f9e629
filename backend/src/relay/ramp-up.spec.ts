import { RampUp } from './ramp-up.ts';

/** Envelopes sent in each second, by a dispatcher that sends as soon as it may. */
function sentPerSecond(rampUp: RampUp, seconds: number): readonly number[] {
  const counts = Array.from({ length: seconds }, () => 0);
  for (let nowMs = 0; nowMs < seconds * 1_000; nowMs += 1) {
    while (rampUp.waitMs(nowMs) === 0) {
      rampUp.sent(nowMs);
      const second = Math.floor(nowMs / 1_000);
      counts[second] = (counts[second] ?? 0) + 1;
    }
  }
  return counts;
}

describe('RampUp', () => {
  it('doubles each second up to its maximum', () => {
    expect(sentPerSecond(new RampUp(20, 0), 8)).toEqual([1, 2, 4, 8, 16, 20, 20, 20]);
  });

  it('saves up no unused capacity', () => {
    const rampUp = new RampUp(10, 0);

    for (let count = 0; rampUp.waitMs(60_000) === 0; count += 1) {
      if (count > 10) throw new Error('a burst');
      rampUp.sent(60_000);
    }

    expect(rampUp.waitMs(60_000)).toBeGreaterThan(0);
  });
});
