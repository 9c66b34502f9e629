const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** From here on a date says more than a number of days. */
const MAX_DAYS = 30;

const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;

const ON_THIS_DAY = new Intl.DateTimeFormat('en-GB', CLOCK);
const IN_THIS_YEAR = new Intl.DateTimeFormat('en-GB', { ...DAY, ...CLOCK });
const IN_ANOTHER_YEAR = new Intl.DateTimeFormat('en-GB', { ...DAY, year: 'numeric', ...CLOCK });
const LONG_AGO = new Intl.DateTimeFormat('en-GB', { ...DAY, year: 'numeric' });

/** Local time, as the person who reads out the digest has it on the wall. */
export function absoluteTime(time: Date, now: number): string {
  const isThisYear = time.getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? IN_THIS_YEAR : IN_ANOTHER_YEAR).format(time);
}

/** The time of day alone, for what is of today; everything else with its date. */
export function clockTime(time: Date, now: number): string {
  const isToday = time.toDateString() === new Date(now).toDateString();
  return isToday ? ON_THIS_DAY.format(time) : absoluteTime(time, now);
}

/** A clock of another machine may be ahead: the future is "just now" too. */
export function relativeTime(time: Date, now: number): string {
  const age = now - time.getTime();
  if (age < MINUTE_MS) return 'just now';
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min ago`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h ago`;
  if (age < MAX_DAYS * DAY_MS) return `${Math.floor(age / DAY_MS)} d ago`;
  return LONG_AGO.format(time);
}
