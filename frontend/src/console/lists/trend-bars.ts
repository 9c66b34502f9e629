import type { Trend } from '@errata/backend/contract/trend-api.ts';
import { formatCount } from '../../ui/format/count.ts';

const HOUR_MS = 60 * 60 * 1_000;
const SHOWN_HOURS = 24;
const SHOWN_DAYS = 14;

/** The events of some hours that follow each other. */
export interface TrendBar {
  readonly server: number;
  readonly browser: number;
  /** Releases that were first seen in them. */
  readonly releases: readonly string[];
  /** Beginning of the first and of the last hour, ms since 1970. */
  readonly fromMs: number;
  readonly lastMs: number;
}

/** Returns the events of each hour, oldest first. */
function hoursOf({ from, server, browser, releases }: Trend): readonly TrendBar[] {
  const startMs = Date.parse(from);
  const seen = Map.groupBy(releases, ({ time }) => Math.floor((Date.parse(time) - startMs) / HOUR_MS));
  return server.map((count, at) => ({
    server: count,
    browser: browser[at] ?? 0,
    releases: seen.get(at)?.map(({ name }) => name) ?? [],
    fromMs: startMs + at * HOUR_MS,
    lastMs: startMs + at * HOUR_MS,
  }));
}

/** Returns the last 24 hours. */
export function trendHours(trend: Trend): readonly TrendBar[] {
  return hoursOf(trend).slice(-SHOWN_HOURS);
}

/**
 * Returns the last 14 days of the user, of 23 or 25 hours where the clocks change. A day begins with its first whole hour
 * of UTC: some zones are half an hour off.
 *
 * @param dayOf names the day of a time.
 */
export function trendDays(
  trend: Trend,
  dayOf: (time: Date) => string = (time) => time.toDateString(),
): readonly TrendBar[] {
  const days = Map.groupBy(hoursOf(trend), ({ fromMs }) => dayOf(new Date(fromMs)));
  return Array.from(days.values(), (hours) => {
    const sum = (source: 'server' | 'browser') => hours.reduce((total, hour) => total + hour[source], 0);
    return {
      server: sum('server'),
      browser: sum('browser'),
      releases: hours.flatMap(({ releases }) => releases),
      fromMs: hours[0]?.fromMs ?? 0,
      lastMs: hours.at(-1)?.lastMs ?? 0,
    };
  }).slice(-SHOWN_DAYS);
}

/** Returns the term that finds the events of these hours. */
export function trendTerm({ fromMs, lastMs }: TrendBar): string {
  const [from, last] = [fromMs, lastMs].map((time) =>
    new Date(time).toISOString().slice(0, 'yyyy-mm-ddThh'.length),
  );
  return from === last ? `at:${from}` : `at:${from}..${last}`;
}

const HOUR = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });

/** Returns the line of a bar: its time, its counts and the releases. */
export function trendText({ server, browser, releases, fromMs, lastMs }: TrendBar): string {
  const time =
    fromMs === lastMs ? `${HOUR.format(fromMs)}–${HOUR.format(fromMs + HOUR_MS)}` : DAY.format(fromMs);
  return [
    time,
    `${formatCount(server)} server`,
    `${formatCount(browser)} browser`,
    ...releases.map((name) => `release ${name}`),
  ].join(' · ');
}
