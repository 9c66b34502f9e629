import { RecentRejections } from './recent-rejections.ts';
import { DAY_MS, HOUR_MS } from '../time/iso.ts';

describe('RecentRejections', () => {
  it('counts by reason, the most frequent first', () => {
    const rejections = new RecentRejections(() => 0);
    rejections.count('too_large');
    rejections.count('rate_limited');
    rejections.count('rate_limited');

    expect(rejections.counts()).toEqual([
      { reason: 'rate_limited', count: 2 },
      { reason: 'too_large', count: 1 },
    ]);
  });

  it('says since when it counts, until that is a day', () => {
    let nowMs = 5_000;
    const rejections = new RecentRejections(() => nowMs, 0);

    const since = [0, DAY_MS - 1, DAY_MS].map((ageMs) => {
      nowMs = 5_000 + ageMs;
      return rejections.since;
    });

    expect(since).toEqual(['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z', null]);
  });

  it('removes counts older than a day, with and without newer ones', () => {
    let nowMs = 0;
    const rejections = new RecentRejections(() => nowMs);
    rejections.count('malformed');
    nowMs = 23.5 * HOUR_MS;
    rejections.count('malformed');
    const before = rejections.counts();

    nowMs = 24.5 * HOUR_MS;
    const after = rejections.counts();
    nowMs = 100 * HOUR_MS;

    expect([before, after, rejections.counts()]).toEqual([
      [{ reason: 'malformed', count: 2 }],
      [{ reason: 'malformed', count: 1 }],
      [],
    ]);
  });
});
