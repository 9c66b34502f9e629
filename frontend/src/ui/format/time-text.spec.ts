import { absoluteTime, clockTime, relativeTime } from './time-text.tsx';

const NOW = new Date(2026, 10, 21, 13, 0, 0).getTime();
const SECOND_MS = 1_000;
/** Name of the zone of this machine, as the browser writes it in November. */
const ZONE = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' })
  .formatToParts(NOW)
  .find(({ type }) => type === 'timeZoneName')?.value;

it.each([
  [-30, 'just now'],
  [0, 'just now'],
  [59, 'just now'],
  [60, '1 min ago'],
  [3_599, '59 min ago'],
  [3_600, '1 h ago'],
  [86_399, '23 h ago'],
  [86_400, '1 d ago'],
  [29 * 86_400, '29 d ago'],
  [30 * 86_400, '22 Oct 2026'],
])('%i seconds before now is "%s"', (seconds, words) => {
  expect(relativeTime(new Date(NOW - seconds * SECOND_MS), NOW)).toBe(words);
});

it('leaves the year out as long as it is this one', () => {
  expect(absoluteTime(new Date(2026, 0, 2, 3, 4, 5), NOW)).toBe(`2 Jan, 03:04:05 ${ZONE}`);
});

it('adds the year, and keeps the time of day, in another one', () => {
  expect(absoluteTime(new Date(2025, 11, 31, 23, 0, 0), NOW)).toBe(`31 Dec 2025, 23:00:00 ${ZONE}`);
});

it.each([
  [new Date(2026, 10, 21, 3, 5, 9), `03:05:09 ${ZONE}`],
  [new Date(2026, 10, 20, 23, 59, 59), `20 Nov, 23:59:59 ${ZONE}`],
  [new Date(2025, 10, 21, 3, 5, 9), `21 Nov 2025, 03:05:09 ${ZONE}`],
])('names the day of a time only if it is not today', (time, words) => {
  expect(clockTime(time, NOW)).toBe(words);
});
