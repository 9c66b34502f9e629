import { Overload } from './overload.ts';

const OVER = { fill: 0.9, canEmpty: true };

describe('Overload', () => {
  it.each([
    ['one envelope for two settlements above 90 %', OVER, [16, 3, 3], [8, 1, 2]],
    ['one at least', OVER, [1, 0], [1, 1]],
    ['all below 90 %', { ...OVER, fill: 0.89 }, [16, 0], [Infinity, Infinity]],
    ['all in an outage', { ...OVER, canEmpty: false }, [16, 0], [Infinity, Infinity]],
    ['all before the first settlement', OVER, [0], [Infinity]],
  ])('lets a commit take %s', (_, state, settlements, most) => {
    const overload = new Overload(
      () => state,
      () => 0,
    );

    expect(settlements.map((count) => overload.appends(count))).toEqual(most);
  });

  it('lets a commit take all when nothing was settled for a second', () => {
    let nowMs = 0;
    const overload = new Overload(
      () => OVER,
      () => nowMs,
    );
    overload.appends(16);

    const most = [999, 1_000].map((atMs) => {
      nowMs = atMs;
      return overload.appends(0);
    });

    expect(most).toEqual([1, Infinity]);
  });

  it('lets appends wait for settlements above 90 %', () => {
    let state = OVER;
    const overload = new Overload(
      () => state,
      () => 0,
    );
    const work = { appends: 40, writes: 0 };

    const before = overload.waiting(work);
    overload.appends(16);
    const after = [work, { appends: 40, writes: 9 }, { appends: 0, writes: 0 }].map((each) =>
      overload.waiting(each),
    );
    state = { ...OVER, fill: 0.89 };

    expect(before).toEqual(work);
    expect(after).toEqual([
      { appends: 0, writes: 1 },
      { appends: 0, writes: 9 },
      { appends: 0, writes: 0 },
    ]);
    expect(overload.waiting(work)).toEqual(work);
  });
});
