import { RecentRejections } from './recent-rejections.ts';
import { HOUR_MS } from '../time/iso.ts';

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
