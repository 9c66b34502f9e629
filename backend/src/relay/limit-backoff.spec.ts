import type { RateLimit } from '../envelope/rate-limits.ts';
import { LimitBackoff } from './limit-backoff.ts';

const BOUNDS = { minMs: 500, maxMs: 60_000 };
const EVENT = Buffer.from('{"type":"event"}\n{}');
const SESSION = Buffer.from('{"type":"session"}\n{}');

function limit(untilMs: number, categories: readonly string[] = []): RateLimit {
  return { categories, untilMs, reason: null };
}

describe('LimitBackoff', () => {
  let backoff: LimitBackoff;

  beforeEach(() => {
    backoff = new LimitBackoff(BOUNDS, () => 1);
  });

  /** Returns the wait after a 429 that names zero seconds, ms. */
  function waitMs(nowMs: number, categories?: readonly string[]): number {
    const [extended] = backoff.limited([limit(nowMs, categories)], nowMs);
    return (extended?.untilMs ?? 0) - nowMs;
  }

  it('waits a second at least, and longer after each 429 in a row', () => {
    const waits: number[] = [];
    for (let nowMs = 0; waits.length < 9; nowMs += waits.at(-1) ?? 0) waits.push(waitMs(nowMs));

    expect(waits).toEqual([1_000, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('sets limits of whole milliseconds, which the spool can store', () => {
    const random = new LimitBackoff(BOUNDS, () => 0.777_777_7);
    const untilMs = [0, 10_000, 20_000, 30_000].map(
      (nowMs) => random.limited([limit(nowMs)], nowMs)[0]?.untilMs,
    );

    expect(untilMs.every(Number.isInteger)).toBe(true);
  });

  it('waits as long as the upstream wants', () => {
    expect(backoff.limited([limit(90_000)], 0)).toEqual([limit(90_000)]);
  });

  it('counts concurrent 429s once', () => {
    const waits = [0, 10, 20].map((nowMs) => nowMs + waitMs(nowMs));

    expect(waits).toEqual([1_000, 1_000, 1_000]);
    expect(waitMs(1_000)).toBe(1_000);
    expect(waitMs(2_000)).toBe(2_000);
  });

  it('counts each list of categories for itself, until an envelope of it is accepted', () => {
    for (const nowMs of [0, 10_000, 20_000]) waitMs(nowMs, ['error']);
    waitMs(0, ['session']);
    backoff.accepted(SESSION);

    expect(waitMs(30_000, ['error'])).toBe(4_000);
    backoff.accepted(EVENT);
    expect(waitMs(40_000, ['error'])).toBe(1_000);
  });

  it('remembers a bounded number of lists', () => {
    for (const nowMs of [0, 10_000, 20_000]) waitMs(nowMs, ['error']);
    for (let at = 0; at < 64; at += 1) waitMs(0, [`category_${at}`]);

    expect(waitMs(30_000, ['error'])).toBe(1_000);
  });
});
