import type { SpoolCounts } from '../protocol/spool-messages.ts';
import { RecentCounts } from './counts.ts';

const EMPTY: SpoolCounts = {
  queued: 0,
  classes: [],
  forUpstreams: [],
  forStore: 0,
  ledger: [],
  discards: [],
  deadLetters: 0,
  fill: 0,
  bytes: 0,
  maxBytes: 0,
};

describe('RecentCounts', () => {
  let nowMs: number;
  let scans: number;
  /** Counts that take so long; each answer has its number as the number of queued envelopes. */
  const taking = (tookMs: number) =>
    new RecentCounts(
      () => {
        nowMs += tookMs;
        scans += 1;
        return { ...EMPTY, queued: scans };
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
    const recent = taking(tookMs);
    recent.counts();

    const queued = [lastMs, afterMs].map((sinceMs) => {
      nowMs = tookMs + sinceMs;
      return recent.counts().queued;
    });

    expect(queued).toEqual([1, 2]);
  });

  it('counts each time while that is cheap', () => {
    const recent = taking(9);

    expect([recent.counts().queued, recent.counts().queued]).toEqual([1, 2]);
  });

  it('counts again after a change by an operator', () => {
    const recent = taking(20);
    recent.counts();

    recent.forget();

    expect(recent.counts().queued).toBe(2);
  });
});
