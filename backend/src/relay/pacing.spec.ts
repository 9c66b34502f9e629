import { Pacing } from './pacing.ts';

const OPTIONS = { batchIntervalMs: 10, restRatio: 9 };
const IDLE = { waiting: 0, fill: 0 };

describe('Pacing', () => {
  let nowMs: number;
  let pacing: Pacing;

  beforeEach(() => {
    nowMs = 1_000;
    pacing = new Pacing(OPTIONS, () => nowMs);
  });

  it('starts the first batch at once, and the next one after an interval unless it is full', () => {
    const first = pacing.waitMs(false, IDLE);
    pacing.started();
    nowMs += 4;

    expect([first, pacing.waitMs(false, IDLE), pacing.waitMs(true, IDLE)]).toEqual([0, 6, 0]);
  });

  it.each([
    ['nine times as long as the batch took, while many clients wait', 24, 0.5, 36],
    ['less as the spool fills up', 24, 0.7, 18],
    ['not above 90 %', 24, 0.9, 0],
    ['not while few clients wait', 23, 0, 0],
  ])('rests %s', (_, waiting, fill, waitMs) => {
    pacing.ended(4);

    expect(pacing.waitMs(true, { waiting, fill })).toBeCloseTo(waitMs);
  });

  it('looks again after 50 ms at most', () => {
    pacing.ended(1_000);

    expect(pacing.waitMs(true, { waiting: 24, fill: 0 })).toBe(50);
  });
});
