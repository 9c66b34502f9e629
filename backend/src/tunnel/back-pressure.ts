import type { RateLimit } from '../envelope/rate-limits.ts';

/**
 * What a browser is told to stop making, as `X-Sentry-Rate-Limits`. Its SDK obeys it and drops at the source, which
 * is cheaper than anything that could be done here. Errors and feedback are never in it: a limit on them would make
 * the SDK drop what Errata is there to keep; `default` is an older name of errors.
 */

/** Seconds a browser stops for; it asks again with its next error. */
const PAUSE_SECONDS = 60;
/** Fill of the spool from which the largest and least wanted is stopped, and from which all but errors and sessions. */
const FILL_LARGE = 0.7;
const FILL_MOST = 0.85;

const ERRORS: ReadonlySet<string> = new Set(['error', 'feedback', 'default']);

/**
 * Names the JavaScript SDKs look for instead of the right one: they check `profile` before they send a profile chunk
 * and `metric` before a trace metric (@sentry/core 11, `ITEM_TYPE_TO_DATA_CATEGORY_MAP`).
 */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['profile_chunk', 'profile'],
  ['trace_metric', 'metric'],
]);

const LARGE = ['replay', 'profile', 'profile_chunk'];
const TELEMETRY = ['log_item', 'trace_metric', 'metric', 'metric_bucket', 'span', 'transaction'];
/**
 * What only an upstream wants. Attachments are not in it: they go with the error they belong to.
 * Names: relay-base-schema/src/data_category.rs, and the aliases.
 */
const ALL_BUT_STORED = [...LARGE, ...TELEMETRY, 'session', 'monitor', 'internal'];
/** Everything but errors and feedback: reports of policies are kept in the store, but give way. */
const ALL_BUT_ERRORS = [...ALL_BUT_STORED, 'security'].join(';');

export interface Pressure {
  /** How full the spool is, 0 to 1. */
  readonly fill: number;
  /** What the project's upstream said last. */
  readonly upstreamLimits: readonly RateLimit[];
  /** Without one there is only the store, and nobody wants what it does not keep. */
  readonly hasUpstream: boolean;
  /** Wall clock, ms since the epoch. */
  readonly nowMs: number;
}

/** The header's text, or null where nothing has to stop (protocol 3.4, H10). */
export function backPressure({ fill, upstreamLimits, hasUpstream, nowMs }: Pressure): string | null {
  if (!hasUpstream) return text(PAUSE_SECONDS, ALL_BUT_STORED, 'errata_no_upstream');
  if (upstreamLimits.length === 0 && fill < FILL_LARGE) return null;
  const limits = upstreamLimits.map((limit) => passedOn(limit, nowMs));
  if (fill >= FILL_MOST) limits.push(text(PAUSE_SECONDS, [...LARGE, ...TELEMETRY], 'errata_backpressure'));
  else if (fill >= FILL_LARGE) limits.push(text(PAUSE_SECONDS, LARGE, 'errata_backpressure'));
  const told = limits.filter((limit) => limit !== null);
  return told.length === 0 ? null : told.join(', ');
}

/** A limit on everything a browser may lose. */
export function allButErrors(seconds: number, reason: string): string {
  return `${seconds}:${ALL_BUT_ERRORS}:key:${reason}`;
}

/** An upstream's limit without errors and feedback; null where it is over or nothing is left of it. */
function passedOn({ categories, untilMs, reason }: RateLimit, nowMs: number): string | null {
  const seconds = Math.ceil((untilMs - nowMs) / 1_000);
  if (seconds <= 0) return null;
  if (categories.length === 0) return allButErrors(seconds, reason ?? 'upstream');
  const named = new Set(
    categories
      .filter((category) => !ERRORS.has(category))
      .flatMap((name) => [name, ALIASES.get(name) ?? name]),
  );
  return named.size === 0 ? null : text(seconds, [...named], reason ?? 'upstream');
}

function text(seconds: number, categories: readonly string[], reason: string): string {
  return `${seconds}:${categories.join(';')}:key:${reason}`;
}
