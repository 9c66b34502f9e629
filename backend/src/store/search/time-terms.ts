import { DAY_MS, HOUR_MS } from '../../time/iso.ts';

/** What `last:` and `at:` name: a time before now, or a part of the past. */
export type TimeSpan =
  { readonly lastMs: number } | { readonly fromMs: number; /** Exclusive. */ readonly toMs: number };

const LAST = /^([1-9]\d{0,3})([mhd])$/i;
const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: HOUR_MS, d: DAY_MS };
/** An hour or a day of UTC. */
const HOUR_OR_DAY = /^(\d{4}-\d{2}-\d{2})(?:t(\d{2}))?$/i;

/** Reads `30m`, `24h`, `7d`; null for any other text. */
export function readLast(value: string): TimeSpan | null {
  const [, count, unit = ''] = LAST.exec(value) ?? [];
  return count === undefined ? null : { lastMs: Number(count) * (UNITS_MS[unit.toLowerCase()] ?? 0) };
}

/** Reads `2026-11-28T14`, `2026-11-28` or `a..b` of both, in which b is included; null for any other text. */
export function readAt(value: string): TimeSpan | null {
  const [first = '', last = first, ...others] = value.split('..');
  const [from, to] = [partOf(first), partOf(last)];
  if (from === null || to === null || others.length > 0 || from.fromMs >= to.toMs) return null;
  return { fromMs: from.fromMs, toMs: to.toMs };
}

function partOf(text: string): { readonly fromMs: number; readonly toMs: number } | null {
  const [, day, hour] = HOUR_OR_DAY.exec(text) ?? [];
  const fromMs = Date.parse(`${day}T${hour ?? '00'}:00:00Z`);
  // A date such as 31 February is read as one of March, and the hour 24 as the next day.
  if (day === undefined || Number.isNaN(fromMs) || !new Date(fromMs).toISOString().startsWith(day))
    return null;
  return { fromMs, toMs: fromMs + (hour === undefined ? DAY_MS : HOUR_MS) };
}
