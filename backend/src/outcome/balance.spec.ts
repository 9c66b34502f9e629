import { balanceOf } from './balance.ts';

describe('balanceOf', () => {
  it('balances: accepted = delivered + queued + dead-lettered + expired + dropped + erased', () => {
    const balance = balanceOf(
      [
        { fate: 'accepted', count: 13 },
        { fate: 'delivered', count: 4 },
        { fate: 'dead_lettered', count: 2 },
        { fate: 'expired', count: 1 },
        { fate: 'dropped', count: 1 },
        { fate: 'erased', count: 3 },
      ],
      2,
    );

    expect(balance).toEqual({
      accepted: 13,
      delivered: 4,
      queued: 2,
      deadLettered: 2,
      expired: 1,
      dropped: 1,
      erased: 3,
      missing: 0,
    });
  });

  it('returns the number of missing envelopes', () => {
    expect(
      balanceOf(
        [
          { fate: 'accepted', count: 3 },
          { fate: 'delivered', count: 1 },
        ],
        1,
      ).missing,
    ).toBe(1);
  });

  it('reads a missing count as 0', () => {
    expect(balanceOf([{ fate: 'accepted', count: 1 }], 1)).toMatchObject({
      delivered: 0,
      dropped: 0,
      missing: 0,
    });
  });
});
