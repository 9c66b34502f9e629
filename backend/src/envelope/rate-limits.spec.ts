import fc from 'fast-check';
import { limitedUntilMs, parseRateLimits } from './rate-limits.ts';
import { DAY_MS } from '../time/iso.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);

function limitsOf(header: string | readonly string[], status = 200) {
  return parseRateLimits(status, { 'x-sentry-rate-limits': header }, NOW_MS);
}

function retryAfter(value: string, status = 429) {
  return parseRateLimits(status, { 'retry-after': value }, NOW_MS);
}

describe('parseRateLimits', () => {
  it('H10: reads the first example of the documentation', () => {
    expect(limitsOf('60:transaction:key, 2700:default;error;security:organization', 429)).toEqual([
      { categories: ['transaction'], untilMs: NOW_MS + 60_000, reason: null },
      { categories: ['default', 'error', 'security'], untilMs: NOW_MS + 2_700_000, reason: null },
    ]);
  });

  it('H10: reads no categories as all of them', () => {
    expect(limitsOf('60::organization, 2700::organization')).toEqual([
      { categories: [], untilMs: NOW_MS + 60_000, reason: null },
      { categories: [], untilMs: NOW_MS + 2_700_000, reason: null },
    ]);
  });

  it('H10: reads the reason', () => {
    expect(limitsOf('2700:metric_bucket:organization:quota_exceeded:custom')).toEqual([
      { categories: ['metric_bucket'], untilMs: NOW_MS + 2_700_000, reason: 'quota_exceeded' },
    ]);
  });

  it('H10: ignores a limit on metrics that SDKs do not send', () => {
    expect(limitsOf('60:metric_bucket:organization:quota:transactions;spans')).toEqual([]);
    expect(limitsOf('60:metric_bucket;error:organization:quota:spans')).toMatchObject([
      { categories: ['error'] },
    ]);
  });

  it('H10: reads the header on a 200', () => {
    expect(limitsOf('60:replay:key', 200)).toHaveLength(1);
  });

  it('H10: reads zero seconds as no limit, except on a 429', () => {
    expect(limitsOf('0:error:key, 60:replay:key', 200)).toMatchObject([{ categories: ['replay'] }]);
    expect(limitsOf('0:error:key', 429)).toMatchObject([{ categories: ['error'], untilMs: NOW_MS }]);
  });

  it('H10: joins several header lines', () => {
    expect(limitsOf(['60:error:key', '30:replay:key'])).toMatchObject([
      { categories: ['error'] },
      { categories: ['replay'] },
    ]);
  });

  it('H10: accepts fractions of a second', () => {
    expect(limitsOf('1.5:error')).toMatchObject([{ untilMs: NOW_MS + 1_500 }]);
  });

  it('H10: accepts seconds alone, and unknown further parts', () => {
    expect(limitsOf('60')).toEqual([{ categories: [], untilMs: NOW_MS + 60_000, reason: null }]);
    expect(limitsOf('60:error:key:reason:ns:later:still')).toMatchObject([
      { categories: ['error'], reason: 'reason' },
    ]);
  });

  it('H10: ignores blanks', () => {
    expect(limitsOf(' 60 : error ; replay : key : why ,, ')).toEqual([
      { categories: ['error', 'replay'], untilMs: NOW_MS + 60_000, reason: 'why' },
    ]);
  });

  it('H10: keeps unknown categories', () => {
    expect(limitsOf('60:from_the_future:key')).toMatchObject([{ categories: ['from_the_future'] }]);
  });

  it.each(['soon:error:key', '-60:error:key', '1e3:error:key', 'Infinity:error', ':error:key', '', ','])(
    'H10: ignores %j, which has no readable seconds',
    (header) => {
      expect(limitsOf(header)).toEqual([]);
    },
  );

  it('H10: makes no limit on everything of unreadable names', () => {
    expect(limitsOf('60:ERROR!;<b>:key')).toEqual([]);
    expect(limitsOf('60:;:key')).toEqual([]);
  });

  it('S5: drops a reason with other characters', () => {
    expect(limitsOf('60:error:key:<script>')).toMatchObject([{ reason: null }]);
  });

  it('limits nothing for more than seven days', () => {
    expect(limitsOf('999999999999:error')).toMatchObject([{ untilMs: NOW_MS + 7 * DAY_MS }]);
    expect(retryAfter('999999999999')).toMatchObject([{ untilMs: NOW_MS + 7 * DAY_MS }]);
  });

  it('reads at most 64 limits and 64 categories', () => {
    expect(limitsOf('1:a,'.repeat(1_000))).toHaveLength(64);
    expect(limitsOf(`60:${'a;'.repeat(1_000)}`)[0]?.categories).toHaveLength(64);
  });

  it('H11: applies Retry-After of a 429 to all categories', () => {
    expect(retryAfter('120')).toEqual([{ categories: [], untilMs: NOW_MS + 120_000, reason: null }]);
  });

  it.each(['Sat, 21 Nov 2026 12:02:00 GMT', 'Saturday, 21-Nov-26 12:02:00 GMT', 'Sat Nov 21 12:02:00 2026'])(
    'H11: reads the date %s',
    (date) => {
      expect(retryAfter(date)).toEqual([{ categories: [], untilMs: NOW_MS + 120_000, reason: null }]);
    },
  );

  it('H11: reads a date in the past as now', () => {
    expect(retryAfter('Sat, 21 Nov 2026 11:00:00 GMT')).toMatchObject([{ untilMs: NOW_MS }]);
  });

  it.each(['', 'soon', '-5', 'Sat, whenever', '2026'.repeat(10)])(
    'H11: limits for 60 seconds on a 429 with %j',
    (value) => {
      expect(retryAfter(value)).toEqual([{ categories: [], untilMs: NOW_MS + 60_000, reason: null }]);
    },
  );

  it('H10: limits for 60 seconds on a 429 without headers', () => {
    expect(parseRateLimits(429, {}, NOW_MS)).toEqual([
      { categories: [], untilMs: NOW_MS + 60_000, reason: null },
    ]);
  });

  it('H10: limits for 60 seconds on a 429 with unreadable limits', () => {
    expect(limitsOf('rubbish', 429)).toEqual([{ categories: [], untilMs: NOW_MS + 60_000, reason: null }]);
  });

  it('H10: prefers the exact header to Retry-After', () => {
    const headers = { 'x-sentry-rate-limits': '60:replay:key', 'retry-after': '2700' };

    expect(parseRateLimits(429, headers, NOW_MS)).toMatchObject([{ categories: ['replay'] }]);
  });

  it('reads Retry-After of a 503 and of no other response', () => {
    expect(retryAfter('5', 503)).toMatchObject([{ untilMs: NOW_MS + 5_000 }]);
    expect(retryAfter('5', 200)).toEqual([]);
    expect(parseRateLimits(503, {}, NOW_MS)).toEqual([]);
  });

  it('S3: never throws and returns only valid times, for any headers', () => {
    const value = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0169.:;,aerot GMT') }));
    fc.assert(
      fc.property(fc.constantFrom(200, 429, 503), value, value, (status, limits, after) => {
        const found = parseRateLimits(
          status,
          { 'x-sentry-rate-limits': limits, 'retry-after': after },
          NOW_MS,
        );

        for (const { untilMs } of found) {
          expect(untilMs).toBeGreaterThanOrEqual(NOW_MS);
          expect(untilMs).toBeLessThanOrEqual(NOW_MS + 7 * DAY_MS);
        }
      }),
    );
  });
});

describe('limitedUntilMs', () => {
  it('H10: returns the longest limit on a category', () => {
    const limits = limitsOf('10:error:key, 30:error;replay:key, 20::organization');

    expect(limitedUntilMs(limits, 'error')).toBe(NOW_MS + 30_000);
    expect(limitedUntilMs(limits, 'session')).toBe(NOW_MS + 20_000);
  });

  it('is 0 without a limit on the category', () => {
    expect(limitedUntilMs(limitsOf('10:error:key'), 'replay')).toBe(0);
  });
});
