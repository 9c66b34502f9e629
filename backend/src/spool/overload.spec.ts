import { Overload } from './overload.ts';

const OVER = { fill: 0.9, canEmpty: true };
const LINE = { appends: 40, writes: 0 };

describe('Overload', () => {
  let nowMs: number;
  let state: typeof OVER;
  let overload: Overload;

  beforeEach(() => {
    nowMs = 0;
    state = OVER;
    overload = new Overload(
      () => state,
      () => nowMs,
    );
  });

  it.each([
    ['as many as left', OVER, [10, 3, 100], [10, 3, 100]],
    ['one at least', OVER, [1, 0], [1, 1]],
    ['fewer than left, for each one that had no room', OVER, [1, 0, 0, 0, 128], [1, 1, 1, 1, 125]],
    ['all below 90 %', { ...OVER, fill: 0.89 }, [16, 0], [Infinity, Infinity]],
    ['all in an outage', { ...OVER, canEmpty: false }, [16, 0], [Infinity, Infinity]],
    ['all before the first one leaves', OVER, [0], [Infinity]],
  ])('lets a commit take %s', (_, now, freed, most) => {
    state = now;
    let taken = 0;

    const all = freed.map((count) => {
      overload.committed(taken, count);
      taken = overload.most;
      return taken;
    });

    expect(all).toEqual(most);
  });

  it('stays above 90 % after the commit that came there', () => {
    state = { ...OVER, fill: 0.89 };
    overload.committed(50, 20);
    state = OVER;
    overload.committed(100, 20);
    overload.committed(20, 30);

    expect(overload.most).toBe(30);
  });

  it('counts what left once, where commits fail', () => {
    overload.committed(0, 10);
    // Those that fail are not reported, and have written nothing.
    const whileFailing = [overload.most, overload.most];
    overload.committed(10, 0);

    expect(whileFailing).toEqual([10, 10]);
    expect(overload.most).toBe(1);
  });

  it('lets a commit take all when none left for a second', () => {
    overload.committed(0, 16);

    const most = [999, 1_000].map((atMs) => {
      nowMs = atMs;
      overload.committed(1, 0);
      return overload.most;
    });

    expect(most).toEqual([15, Infinity]);
    expect(overload.refuses(1_000)).toBe(false);
  });

  it.each([
    ['', 1_000],
    [', though it is long ago', 60_000],
  ])('refuses an envelope while as many wait as the last second committed%s', (_, nextMs) => {
    for (nowMs = 0; nowMs < 1_000; nowMs += 100) overload.committed(20, 10);
    for (nowMs = nextMs; nowMs < nextMs + 300; nowMs += 100) overload.committed(20, 10);

    expect([199, 200].map((waiting) => overload.refuses(waiting))).toEqual([false, true]);
  });

  it('refuses none while fewer than 64 wait', () => {
    overload.committed(5, 10);

    expect([63, 64].map((waiting) => overload.refuses(waiting))).toEqual([false, true]);
  });

  it.each([
    ['below 90 %', { ...OVER, fill: 0.89 }],
    ['in an outage', { ...OVER, canEmpty: false }],
  ])('refuses none %s', (_, now) => {
    overload.committed(5, 10);
    state = now;

    expect(overload.refuses(1_000)).toBe(false);
  });

  it('lets appends wait for settlements above 90 %', () => {
    const before = overload.waiting(LINE);
    overload.committed(0, 16);
    const after = [LINE, { appends: 40, writes: 9 }, { appends: 0, writes: 0 }].map((each) =>
      overload.waiting(each),
    );
    state = { ...OVER, fill: 0.89 };

    expect(before).toEqual(LINE);
    expect(after).toEqual([
      { appends: 0, writes: 1 },
      { appends: 0, writes: 9 },
      { appends: 0, writes: 0 },
    ]);
    expect(overload.waiting(LINE)).toEqual(LINE);
  });
});
