import { useEffect, useState } from 'react';

const TICK_MS = 30_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** From this age on a date says more than a number of days. */
const MAX_DAYS = 30;

/** With the zone: a support agent and a log may be in different ones. */
const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;

const ON_THIS_DAY = new Intl.DateTimeFormat('en-GB', CLOCK);
const IN_THIS_YEAR = new Intl.DateTimeFormat('en-GB', { ...DAY, ...CLOCK });
const IN_ANOTHER_YEAR = new Intl.DateTimeFormat('en-GB', { ...DAY, year: 'numeric', ...CLOCK });
const LONG_AGO = new Intl.DateTimeFormat('en-GB', { ...DAY, year: 'numeric' });

/** Formats a time in the user's time zone, with its name. */
export function absoluteTime(time: Date, now: number): string {
  const isThisYear = time.getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? IN_THIS_YEAR : IN_ANOTHER_YEAR).format(time);
}

/** Formats the time of day with its zone; with a date unless it is today. */
export function clockTime(time: Date, now: number): string {
  const isToday = time.toDateString() === new Date(now).toDateString();
  return isToday ? ON_THIS_DAY.format(time) : absoluteTime(time, now);
}

/** Formats an age. Clocks of other machines may be ahead: the future is "just now" too. */
export function relativeTime(time: Date, now: number): string {
  const age = now - time.getTime();
  if (age < MINUTE_MS) return 'just now';
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min ago`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h ago`;
  if (age < MAX_DAYS * DAY_MS) return `${Math.floor(age / DAY_MS)} d ago`;
  return LONG_AGO.format(time);
}

/** Returns the present, ms since 1970, fresh enough for "2 min ago". */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

interface TimeTextProps {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly form?: 'relative' | 'absolute' | 'clock';
}

/** Shows a time in the user's zone; its title has the other form and UTC, as in the log. */
export function TimeText({ time, form = 'relative' }: TimeTextProps) {
  const now = useNow();
  const date = new Date(time);
  // The sender chose this text; it may not be a time.
  if (Number.isNaN(date.getTime())) return <span>{time}</span>;
  const words = {
    relative: relativeTime(date, now),
    absolute: absoluteTime(date, now),
    clock: clockTime(date, now),
  };
  const other = form === 'relative' ? words.absolute : words.relative;
  return (
    <time dateTime={time} title={`${other} – ${time}`}>
      {words[form]}
    </time>
  );
}
