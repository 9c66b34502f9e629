import { balanceOf } from './balance.ts';

describe('balanceOf', () => {
  it('balances: accepted = delivered + held + dead-lettered + expired + shed', () => {
    const balance = balanceOf({ accepted: 10, delivered: 4, dead_lettered: 2, expired: 1, shed: 1 }, 2);

    expect(balance).toEqual({
      accepted: 10,
      delivered: 4,
      held: 2,
      deadLettered: 2,
      expired: 1,
      shed: 1,
      missing: 0,
    });
  });

  it('tells how many envelopes are missing', () => {
    expect(balanceOf({ accepted: 3, delivered: 1 }, 1).missing).toBe(1);
  });

  it('takes what is not counted for 0', () => {
    expect(balanceOf({ accepted: 1 }, 1)).toMatchObject({ delivered: 0, shed: 0, missing: 0 });
  });
});
