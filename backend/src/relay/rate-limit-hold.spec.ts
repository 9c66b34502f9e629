import { FailedEnvelopes } from './failed-envelopes.ts';
import { RateLimitHold } from './rate-limit-hold.ts';

const NOW_MS = 1_000_000;

describe('RateLimitHold', () => {
  let hold: RateLimitHold;
  let failed: FailedEnvelopes;
  let rewinds: number[];
  let delays: number[];
  let onDue: () => void;

  beforeEach(() => {
    rewinds = [];
    delays = [];
    failed = new FailedEnvelopes({ minMs: 100, maxMs: 1_000 });
    hold = new RateLimitHold({ rewind: (fromId) => void rewinds.push(fromId) }, failed, (delayMs, due) => {
      delays.push(delayMs);
      onDue = due;
    });
  });

  it('waits for the end of the limit that ends first', () => {
    for (const [id, inMs] of [60_000, 90_000, 30_000].entries()) hold.add(id, NOW_MS + inMs, NOW_MS);

    expect(delays).toEqual([60_000, 30_000]);
  });

  it('sends the envelope whose limit ends first as a probe, and reads all again after it', () => {
    hold.add(7, NOW_MS + 2_000, NOW_MS);
    hold.add(3, NOW_MS + 3_000, NOW_MS);
    hold.add(5, NOW_MS + 1_000, NOW_MS);
    onDue();

    expect(failed.next()).toEqual({ id: 5, dueAtMs: 0 });
    expect(hold.isHolding).toBe(true);
    hold.end(7);
    expect(rewinds).toEqual([]);
    hold.end(5);
    hold.end(5);
    expect(hold.isHolding).toBe(false);
    expect(rewinds).toEqual([3]);
  });

  it('goes on while the probe is held again', () => {
    hold.add(3, NOW_MS + 1_000, NOW_MS);
    hold.add(5, NOW_MS + 1_000, NOW_MS);
    onDue();
    hold.add(3, NOW_MS + 9_000, NOW_MS + 1_000);
    hold.end(3);

    expect(rewinds).toEqual([]);
    expect(failed.has(3)).toBe(false);
    expect(delays).toEqual([1_000, 8_000]);
    onDue();
    hold.end(3);
    expect(rewinds).toEqual([3]);
  });

  it('keeps the tries of an envelope that failed before, and makes it due after the probe', () => {
    failed.failed(3, 'envelope', null, 0);
    hold.add(3, NOW_MS + 2_000, NOW_MS);
    hold.add(5, NOW_MS + 1_000, NOW_MS);

    expect(failed.next()).toBeUndefined();
    onDue();
    hold.end(5);
    expect(failed.hasFailed(3)).toBe(true);
    expect(failed.next()).toEqual({ id: 3, dueAtMs: 0 });
    expect(rewinds).toEqual([5]);
  });

  it.each([
    ['of the past', -5_000, 100],
    ['beyond the longest timer', 100 * 24 * 3_600_000, 24 * 3_600_000],
  ])('bounds the delay for a limit %s', (_, inMs, delayMs) => {
    hold.add(1, NOW_MS + inMs, NOW_MS);

    expect(delays).toEqual([delayMs]);
  });
});
