import { MAX_REJECTED_DSNS, RejectedDsns } from './rejected-dsns.ts';

const SHOP = {
  dsn: 'https://0123abcd…@sentry.example/1',
  origin: 'https://shop.example',
  reason: 'not_allowed',
} as const;

describe('RejectedDsns', () => {
  it('counts by DSN, origin and reason, with the last time, the newest first', () => {
    let nowMs = 0;
    const refused = new RejectedDsns(() => (nowMs += 1_000));
    refused.count(SHOP, null);
    refused.count({ ...SHOP, origin: null }, null);
    refused.count({ ...SHOP, dsn: null, reason: 'cross_site' }, null);
    refused.count(SHOP, null);

    expect(refused.rows()).toEqual([
      { ...SHOP, count: 2, last: '1970-01-01T00:00:04.000Z' },
      { ...SHOP, dsn: null, reason: 'cross_site', count: 1, last: '1970-01-01T00:00:03.000Z' },
      { ...SHOP, origin: null, count: 1, last: '1970-01-01T00:00:02.000Z' },
    ]);
  });

  it('forgets the one that was seen longest ago when there are too many', () => {
    const refused = new RejectedDsns(() => 0);
    const dsns = Array.from({ length: MAX_REJECTED_DSNS + 1 }, (_, index) => `https://k@host/${index}`);
    for (const dsn of dsns) {
      refused.count({ ...SHOP, dsn }, null);
      refused.count({ ...SHOP, dsn: dsns[0] ?? '' }, null);
    }

    const kept = refused.rows().map(({ dsn }) => dsn);

    expect(kept).toHaveLength(MAX_REJECTED_DSNS);
    expect(kept[0]).toBe(dsns[0]);
    expect(kept).not.toContain(dsns[1]);
  });

  it('keeps three DSNs of one network, and those of others', () => {
    const refused = new RejectedDsns(() => 0);
    const count = (network: string, name: string) =>
      refused.count({ ...SHOP, dsn: `https://k@${name}/1` }, network);
    count('198.51.100.0', 'old.example');
    // Each replaces the one of three before, and old.example still belongs to its first sender.
    for (let made = 1; made <= 300; made += 1) count('203.0.113.0', `h${made}`);
    count('203.0.113.0', 'old.example');
    for (const name of ['h301', 'h302', 'h303']) count('203.0.113.0', name);

    const kept = refused.rows().map(({ dsn, count: times }) => [dsn, times]);

    expect(kept).toEqual([
      ['https://k@h303/1', 1],
      ['https://k@h302/1', 1],
      ['https://k@h301/1', 1],
      ['https://k@old.example/1', 2],
    ]);
  });

  it('cuts long texts of strangers, so that they stay one row', () => {
    const refused = new RejectedDsns(() => 0);

    refused.count({ ...SHOP, dsn: 'd'.repeat(1_000), origin: 'o'.repeat(1_000) }, null);
    refused.count({ ...SHOP, dsn: 'd'.repeat(1_001), origin: 'o'.repeat(1_001) }, null);

    const [row, ...others] = refused.rows();
    expect([row?.dsn?.length, row?.origin?.length, row?.count, others]).toEqual([201, 201, 2, []]);
  });
});
