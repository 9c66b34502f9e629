import { IntakePriority, shareByFill } from './intake-priority.ts';

const BUSY = { waiting: 24, fill: 0 };

describe('IntakePriority', () => {
  it.each([
    ['halves with each look at a full event loop', BUSY, [0.95, 1, 1], [1 / 2, 1 / 4, 1 / 8]],
    ['doubles again when the loop has time', BUSY, [1, 1, 0.79, 0.5, 0.1], [1 / 2, 1 / 4, 1 / 2, 1, 1]],
    ['stays in between', BUSY, [1, 0.94, 0.8], [1 / 2, 1 / 2, 1 / 2]],
    ['stays whole while few clients wait', { waiting: 23, fill: 0 }, [1, 1], [1, 1]],
    ['is never below that of the fill', { waiting: 24, fill: 0.7 }, [1, 1, 1], [1 / 2, 1 / 2, 1 / 2]],
  ])('%s', (_, spool, looks, shares) => {
    const priority = new IntakePriority(spool);

    const seen = looks.map((busy) => {
      priority.looked(busy);
      return priority.share;
    });

    expect(seen.map((share) => share.toFixed(3))).toEqual(shares.map((share) => share.toFixed(3)));
  });

  it('doubles while another sink keeps the cores full, once few clients have waited for five looks', () => {
    const spool = { waiting: 128, fill: 0 };
    const priority = new IntakePriority(spool);
    const sharesOf = (looks: number) =>
      Array.from({ length: looks }, () => {
        priority.looked(1);
        return priority.share;
      });
    const busy = sharesOf(3);
    spool.waiting = 23;
    const calm = sharesOf(4);
    spool.waiting = 24;
    const busyAgain = sharesOf(1);
    spool.waiting = 0;
    const calmForLong = sharesOf(7);

    expect(busy).toEqual([1 / 2, 1 / 4, 1 / 8]);
    expect(calm).toEqual([1 / 8, 1 / 8, 1 / 8, 1 / 8]);
    expect(busyAgain).toEqual([1 / 16]);
    expect(calmForLong).toEqual([1 / 16, 1 / 16, 1 / 16, 1 / 16, 1 / 8, 1 / 4, 1 / 2]);
  });

  it('is soon whole again after a long time of full loops', () => {
    const priority = new IntakePriority(BUSY);
    for (let looks = 0; looks < 1_000; looks += 1) priority.looked(1);
    for (let looks = 0; looks < 7; looks += 1) priority.looked(0);

    expect(priority.share).toBe(1);
  });
});

describe('shareByFill', () => {
  it('grows in a straight line from half of the cap to nine tenths', () => {
    const shares = [0, 0.5, 0.6, 0.7, 0.8, 0.9, 1].map((fill) => shareByFill({ fill }));

    expect(shares.map((share) => Number(share.toFixed(3)))).toEqual([0, 0, 0.25, 0.5, 0.75, 1, 1]);
  });
});
