import { EMPTY_COUNTS } from '../spool.fixture.ts';
import { RecentCounts } from './counts.ts';

describe('RecentCounts', () => {
  let nowMs = 0;
  let scans = 0;
  /** Counts of so many envelopes that take so long; each answer has its number as the number of dead letters. */
  const taking = (tookMs: number, queued: number) =>
    new RecentCounts(
      () => {
        nowMs += tookMs;
        scans += 1;
        return { ...EMPTY_COUNTS, queued, deadLetters: scans };
      },
      () => nowMs,
    );

  beforeEach(() => {
    nowMs = 0;
    scans = 0;
  });

  it.each([
    ['20 ms for a second, and not longer', 20, 999, 1_000],
    ['two seconds for 100 seconds', 2_000, 99_999, 100_000],
  ])('gives again the answer of a count of %s', (_, tookMs, lastMs, afterMs) => {
    const recent = taking(tookMs, 10_000);
    recent.counts();

    const seen = [lastMs, afterMs].map((sinceMs) => {
      nowMs = tookMs + sinceMs;
      return recent.counts().deadLetters;
    });

    expect(seen).toEqual([1, 2]);
  });

  it('counts a small queue each time, however long that takes', () => {
    const recent = taking(2_000, 9_999);

    expect([recent.counts().deadLetters, recent.counts().deadLetters]).toEqual([1, 2]);
  });

  it('counts again after a change by an operator', () => {
    const recent = taking(20, 10_000);
    recent.counts();

    recent.forget();

    expect(recent.counts().deadLetters).toBe(2);
  });
});
