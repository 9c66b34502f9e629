import { DAY_MS, HOUR_MS } from '../../time/iso.ts';
import { type CommonValue, type IssueHistory, whatChanged } from './what-changed.ts';

const HOUR = Date.UTC(2026, 10, 28, 14);
const WEEK = 168;

/** Hours before this one, the newest first. */
function hours(...counts: readonly number[]): ReadonlyMap<number, number> {
  return new Map(counts.map((events, ago) => [HOUR - ago * HOUR_MS, events]));
}

function steady(events: number, length = WEEK + 2): readonly number[] {
  return Array.from({ length }, () => events);
}

const QUIET: IssueHistory = {
  nowMs: HOUR + 20 * 60_000,
  firstSeenMs: HOUR - 30 * DAY_MS,
  release: null,
  hours: hours(),
  of: 1_000,
  common: [],
};
const RELEASE = { name: 'shop@1.4.2', firstSeenMs: HOUR - 5 * HOUR_MS, isFirstOfProject: false };

function common(field: string, value: string, elsewhere = 3): CommonValue {
  return { field, value, term: `${field}:${value}`, elsewhere };
}

/** The line as a page shows it. */
function lineOf(history: Partial<IssueHistory>): string {
  const parts = whatChanged({ ...QUIET, ...history }).map((change) => {
    if (change.kind === 'new') return `New since ${change.release}`;
    return change.kind === 'burst' ? `${change.times}x the usual hour` : `only ${change.value}`;
  });
  return parts.join(' · ');
}

describe('whatChanged', () => {
  it.each<[string, Partial<IssueHistory>, string]>([
    ['a quiet issue', {}, ''],
    ['a steady one', { hours: hours(...steady(57)) }, ''],
    ['one that a release brought', { firstSeenMs: HOUR, release: RELEASE }, 'New since shop@1.4.2'],
    [
      'one a day after it',
      { firstSeenMs: RELEASE.firstSeenMs + DAY_MS, release: RELEASE },
      'New since shop@1.4.2',
    ],
    ['one later than that', { firstSeenMs: RELEASE.firstSeenMs + DAY_MS + 1, release: RELEASE }, ''],
    [
      'one an hour before it',
      { firstSeenMs: RELEASE.firstSeenMs - HOUR_MS, release: RELEASE },
      'New since shop@1.4.2',
    ],
    ['one earlier than that', { firstSeenMs: RELEASE.firstSeenMs - HOUR_MS - 1, release: RELEASE }, ''],
    ['one of a client that was offline', { firstSeenMs: HOUR - 35 * HOUR_MS, release: RELEASE }, ''],
    ['one of the first release', { firstSeenMs: HOUR, release: { ...RELEASE, isFirstOfProject: true } }, ''],
    ['a burst in this hour', { hours: hours(60, ...steady(5)) }, '12x the usual hour'],
    ['a burst in the last whole hour', { hours: hours(3, 60, ...steady(5)) }, '12x the usual hour'],
    ['a burst two hours ago', { hours: hours(3, 5, 60, ...steady(5)) }, ''],
    ['twice as many', { hours: hours(40, ...steady(20)) }, ''],
    ['three times as many', { hours: hours(60, ...steady(20)) }, '3x the usual hour'],
    ['19 events', { hours: hours(19, ...steady(1)) }, ''],
    ['20 events', { hours: hours(20, ...steady(1)) }, '20x the usual hour'],
    ['20 events after a week without any', { hours: hours(20) }, '20x the usual hour'],
    [
      'a burst of an issue of 23 hours',
      { firstSeenMs: HOUR - 23 * HOUR_MS, hours: hours(60, ...steady(5)) },
      '',
    ],
    [
      'a burst of an issue of a day',
      { firstSeenMs: HOUR - DAY_MS, hours: hours(60, ...steady(5, 24)) },
      '12x the usual hour',
    ],
    ['a burst like one of last night', { hours: hours(60, ...steady(5, 12), 3_000, ...steady(5)) }, ''],
    [
      'a burst like one of last month',
      { hours: hours(60, ...steady(5, WEEK), 90_000) },
      '12x the usual hour',
    ],
    ['one browser alone', { common: [common('browser', 'Safari')] }, 'only Safari'],
    ['one browser everywhere', { common: [common('browser', 'Chrome', 2)] }, ''],
    ['one browser of 20 events', { of: 20, common: [common('browser', 'Safari')] }, 'only Safari'],
    ['one browser of 19 events', { of: 19, common: [common('browser', 'Safari')] }, ''],
    [
      'more values than a line has room for',
      { common: ['a', 'b', 'c', 'd'].map((value) => common(`tag:${value}`, value)) },
      'only a · only b · only c',
    ],
    [
      'all of it',
      {
        firstSeenMs: HOUR - 25 * HOUR_MS,
        release: { ...RELEASE, firstSeenMs: HOUR - 26 * HOUR_MS },
        hours: hours(60, ...steady(5, 25)),
        common: [common('browser', 'Safari'), common('url', '/checkout')],
      },
      'New since shop@1.4.2 · 12x the usual hour · only Safari · only /checkout',
    ],
  ])('says of %s', (_name, history, line) => {
    expect(lineOf(history)).toBe(line);
  });
});
