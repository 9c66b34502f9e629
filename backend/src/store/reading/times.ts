import { type Fields, numberOf } from '../../digest/fields.ts';
import { DAY_MS } from '../../time/iso.ts';

/** Longest time between an event and its arrival: SDKs and the spool delay events up to this. */
const MAX_AGE_MS = 7 * DAY_MS;
/** Longest time an event may lie after its arrival: the error of a clock that is set by hand. */
const MAX_AHEAD_MS = 60 * 1000;
/** Relay corrects clocks from this difference on: a smaller one may be the way of the envelope. */
const MIN_DRIFT_MS = 55 * 60 * 1000;

/** The times of an envelope. */
export interface EnvelopeTimes {
  /** Arrival by the clock of this server. */
  readonly receivedMs: number;
  /** `sent_at` of the envelope's header: the sending by the clock that gave the event its time; null without one. */
  readonly sentAt: string | null;
}

/**
 * Returns when an event happened. A sender's clock that is off by 55 minutes or more is corrected by the difference of
 * sending and arrival; an event that waited offline stays right, because the same clock measured its waiting. Outside of a
 * week before and a minute after its arrival, the time is wrong and the arrival counts.
 */
export function occurredMs(event: Fields, { receivedMs, sentAt }: EnvelopeTimes): number {
  const driftMs = receivedMs - millisecondsOf(sentAt);
  const correctionMs = Math.abs(driftMs) >= MIN_DRIFT_MS ? driftMs : 0;
  const timeMs = millisecondsOf(event['timestamp']) + correctionMs;
  const isSane = timeMs >= receivedMs - MAX_AGE_MS && timeMs <= receivedMs + MAX_AHEAD_MS;
  return isSane ? Math.round(timeMs) : receivedMs;
}

/** Longest text that is a time. */
const MAX_LENGTH = 64;
const DATE = /^\d{4}-\d\d-\d\d/;
const DATE_LENGTH = 10;
const ZONE = /(?:z|utc|gmt|[+-]\d\d(?::?\d\d)?)$/i;

/**
 * Reads a time in Sentry's forms as ms: seconds, or ISO 8601, which is UTC without a zone as in Relay. NaN for anything
 * else, and for a text that would depend on the zone of this host.
 */
export function millisecondsOf(timestamp: unknown): number {
  if (typeof timestamp !== 'string') return numberOf(timestamp) * 1000;
  if (timestamp.length > MAX_LENGTH) return NaN;
  const text = timestamp.trim();
  if (!DATE.test(text)) return ZONE.test(text) ? Date.parse(text) : NaN;
  const hasZone = text.length === DATE_LENGTH || ZONE.test(text.slice(DATE_LENGTH));
  return Date.parse(hasZone ? text : `${text.replace(' ', 'T')}Z`);
}
