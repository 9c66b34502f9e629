import { RateLimitHold } from './rate-limit-hold.ts';

const NOW_MS = 1_000_000;

describe('RateLimitHold', () => {
  it('waits for the end of the limit that ends first', () => {
    const hold = new RateLimitHold();

    const delays = [60_000, 90_000, 30_000].map((inMs, id) => hold.add(id, NOW_MS + inMs, NOW_MS));

    expect(delays).toEqual([60_000, undefined, 30_000]);
  });

  it('returns the lowest held ID once, and then starts over', () => {
    const hold = new RateLimitHold();
    for (const id of [7, 3, 5]) hold.add(id, NOW_MS + 1_000, NOW_MS);

    const ends = [hold.end(), hold.end()];

    expect(ends).toEqual([3, undefined]);
    expect(hold.add(9, NOW_MS + 2_000, NOW_MS)).toBe(2_000);
  });

  it.each([
    ['of the past', -5_000, 100],
    ['beyond the longest timer', 100 * 24 * 3_600_000, 24 * 3_600_000],
  ])('bounds the delay for a limit %s', (_, inMs, delayMs) => {
    expect(new RateLimitHold().add(1, NOW_MS + inMs, NOW_MS)).toBe(delayMs);
  });
});
