import { RecentRejections } from './recent-rejections.ts';

const HOUR_MS = 3_600_000;

describe('RecentRejections', () => {
  it('counts by reason, the most frequent first', () => {
    const refusals = new RecentRejections(() => 0);
    refusals.count('too_large');
    refusals.count('rate_limited');
    refusals.count('rate_limited');

    expect(refusals.counts()).toEqual([
      { reason: 'rate_limited', count: 2 },
      { reason: 'too_large', count: 1 },
    ]);
  });

  it('forgets what is older than a day, whether or not anything came since', () => {
    let nowMs = 0;
    const refusals = new RecentRejections(() => nowMs);
    refusals.count('malformed');
    nowMs = 23.5 * HOUR_MS;
    refusals.count('malformed');
    const before = refusals.counts();

    nowMs = 24.5 * HOUR_MS;
    const after = refusals.counts();
    nowMs = 100 * HOUR_MS;

    expect([before, after, refusals.counts()]).toEqual([
      [{ reason: 'malformed', count: 2 }],
      [{ reason: 'malformed', count: 1 }],
      [],
    ]);
  });
});
