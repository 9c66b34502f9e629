import { TREND_HOURS, type Trend } from '@errata/backend/contract/trend-api.ts';
import { trendDays, trendHours, trendTerm, trendText } from './trend-bars.ts';

/** A trend with one event of a server and two of a browser in each hour. */
function trendFrom(from: string, releases: Trend['releases'] = []): Trend {
  const each = (count: number) => Array.from({ length: TREND_HOURS }, () => count);
  return { from, server: each(1), browser: each(2), releases };
}

const inZone = (timeZone: string) => (time: Date) =>
  new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short' }).format(time);

it('shows the last 24 hours, each with its releases', () => {
  const releases = [
    { name: 'shop@2', project: '1', time: '2026-11-28T14:59:59.999Z' },
    { name: 'shop@1', project: '1', time: '2026-11-14T15:00:00Z' },
  ];

  const hours = trendHours(trendFrom('2026-11-14T15:00:00Z', releases));

  expect(hours.map(({ fromMs }) => new Date(fromMs).toISOString()).filter((_, at) => at % 23 === 0)).toEqual([
    '2026-11-27T15:00:00.000Z',
    '2026-11-28T14:00:00.000Z',
  ]);
  expect(hours.map((hour) => hour.releases.join('')).join('')).toBe('shop@2');
});

it.each([
  ['has 25 hours when the clocks go back', 'Europe/Berlin', '2026-10-18T15:00:00Z', '25/10/2026', 25],
  ['has 23 hours when they go forward', 'Europe/Berlin', '2026-03-20T15:00:00Z', '29/03/2026', 23],
  ['has 24 hours on the other days', 'Europe/Berlin', '2026-10-18T15:00:00Z', '26/10/2026', 24],
  [
    'begins with its first whole hour half an hour off UTC',
    'Asia/Kolkata',
    '2026-10-18T15:00:00Z',
    '25/10/2026',
    24,
  ],
])('a local day %s', (_, zone, from, day, hours) => {
  const dayOf = inZone(zone);

  const days = trendDays(trendFrom(from), dayOf);
  const one = days.find(({ fromMs }) => dayOf(new Date(fromMs)) === day);

  expect(one).toMatchObject({ server: hours, browser: 2 * hours });
  expect(days).toHaveLength(14);
});

it('shows 14 whole days where an hour of the 15th is left', () => {
  const days = trendDays(trendFrom('2026-11-14T15:00:00Z'), inZone('UTC'));

  expect(days.map(({ server }) => server)).toEqual([...Array.from({ length: 13 }, () => 24), 15]);
});

it('makes the term of an hour, or of all hours of a day, in UTC', () => {
  const trend = trendFrom('2026-11-14T15:00:00Z');

  expect(trendHours(trend).slice(-1).map(trendTerm)).toEqual(['at:2026-11-28T14']);
  expect(trendDays(trend, inZone('Europe/Berlin')).slice(-2, -1).map(trendTerm)).toEqual([
    'at:2026-11-26T23..2026-11-27T22',
  ]);
});

it('says time, counts by source and releases in one line', () => {
  const releases = [{ name: 'shop@2', project: '1', time: '2026-11-28T14:10:00Z' }];

  const [hour] = trendHours(trendFrom('2026-11-14T15:00:00Z', releases)).slice(-1).map(trendText);

  expect(hour).toMatch(/^\d\d:\d\d–\d\d:\d\d · 1 server · 2 browser · release shop@2$/);
});
