import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { millisecondsOf, occurredMs } from './times.ts';

const AT = Date.UTC(2026, 10, 21, 12, 30);
const HOUR = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString();

describe('millisecondsOf', () => {
  it.each([
    [AT / 1000],
    [JSON.rawJSON(`${AT / 1000}.0`)],
    ['2026-11-21T12:30:00Z'],
    ['2026-11-21T12:30:00.000000Z'],
    ['2026-11-21T12:30:00'],
    ['2026-11-21T12:30:00.000'],
    ['2026-11-21 12:30:00'],
    ['2026-11-21 12:30:00.000000'],
    ['2026-11-21T12:30'],
    ['2026-11-21T20:30:00+08:00'],
    ['2026-11-21T04:30:00-0800'],
    ['2026-11-21 20:30:00+08:00'],
    [' 2026-11-21T12:30:00 '],
    ['Sat, 21 Nov 2026 12:30:00 GMT'],
  ])('reads %j', (timestamp) => {
    expect(millisecondsOf(timestamp)).toBe(AT);
  });

  it.each(['Asia/Shanghai', 'America/New_York'])(
    'reads a time without a zone as UTC on a host in %s',
    (zone) => {
      const times = join(import.meta.dirname, 'times.ts');
      const script = `import { millisecondsOf } from ${JSON.stringify(times)};
      console.log(millisecondsOf('2026-11-21T12:30:00'), new Date(0).getTimezoneOffset() === 0);`;
      const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
        env: { ...process.env, TZ: zone },
        encoding: 'utf8',
      });

      expect(output.trim()).toBe(`${AT} false`);
    },
  );

  it('reads a date as its midnight in UTC', () => {
    expect(millisecondsOf('2026-11-21')).toBe(Date.UTC(2026, 10, 21));
  });

  it.each([
    '',
    'now',
    '1795264200',
    'Nov 21 2026 12:30:00',
    `2026-11-21${' '.repeat(99)}`,
    null,
    undefined,
    {},
    true,
  ])('reads no time in %j', (timestamp) => {
    expect(millisecondsOf(timestamp)).toBeNaN();
  });
});

describe('occurredMs', () => {
  it.each([
    ['late by two hours', AT - 2 * HOUR - 5_000, AT - 2 * HOUR, AT - 5_000],
    ['early by a day', AT + 24 * HOUR - 5_000, AT + 24 * HOUR, AT - 5_000],
    ['late by 55 minutes', AT - 55 * 60_000 - 5_000, AT - 55 * 60_000, AT - 5_000],
    [
      'late by 54 minutes, which may be the way',
      AT - 54 * 60_000 - 5_000,
      AT - 54 * 60_000,
      AT - 54 * 60_000 - 5_000,
    ],
    ['right, of an event that waited offline', AT - 3 * HOUR, AT, AT - 3 * HOUR],
    [
      'late by a year, of an event that waited offline',
      AT - 8_760 * HOUR - 3 * HOUR,
      AT - 8_760 * HOUR,
      AT - 3 * HOUR,
    ],
    ['wrong at both times', AT - 8_760 * HOUR, AT - 2 * HOUR, AT],
  ])('corrects a clock that is %s', (_name, timeMs, sentMs, occurred) => {
    expect(occurredMs({ timestamp: iso(timeMs) }, { receivedMs: AT, sentAt: iso(sentMs) })).toBe(occurred);
  });

  it.each([
    ['no sending', AT / 1000 - 5, null, AT - 5_000],
    ['a sending that is no time', AT / 1000 - 5, 'soon', AT - 5_000],
    ['no time', undefined, iso(AT - 2 * HOUR), AT],
    ['a time of more than a week ago', iso(AT - 8 * 24 * HOUR), null, AT],
    ['a time to come', iso(AT + 2 * 60_000), null, AT],
  ])('is for %s the time or the arrival', (_name, timestamp, sentAt, occurred) => {
    expect(occurredMs({ timestamp }, { receivedMs: AT, sentAt })).toBe(occurred);
  });
});
