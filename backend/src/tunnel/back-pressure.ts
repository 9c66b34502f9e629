import type { RateLimit } from '../envelope/rate-limits.ts';

/**
 * Back-pressure on browsers: `X-Sentry-Rate-Limits` tells an SDK which categories to stop. The SDK then drops them at
 * the source, which costs less than any rejection here. The header never names errors and feedback (or `default`, an
 * older name of errors): a limit on them would make the SDK drop exactly the data that Errata must keep.
 */

/** Seconds for which a browser stops; its next error brings a new header. */
const PAUSE_SECONDS = 60;
/** Fill of the spool from which the largest, least important categories stop, and from which all telemetry stops. */
const FILL_LARGE = 0.7;
const FILL_TELEMETRY = 0.85;

const ERRORS: ReadonlySet<string> = new Set(['error', 'feedback', 'default']);

/**
 * Names that the JavaScript SDKs look up instead of the right one: they check `profile` before they send a profile
 * chunk and `metric` before a trace metric (@sentry/core 11, `ITEM_TYPE_TO_DATA_CATEGORY_MAP`).
 */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['profile_chunk', 'profile'],
  ['trace_metric', 'metric'],
]);

const LARGE = ['replay', 'profile', 'profile_chunk'];
const TELEMETRY = ['log_item', 'trace_metric', 'metric', 'metric_bucket', 'span', 'transaction'];
/**
 * Categories that only an upstream wants. Attachments are not among them: they belong to their error.
 * Names: relay-base-schema/src/data_category.rs, and the aliases.
 */
const ALL_BUT_STORED = [...LARGE, ...TELEMETRY, 'session', 'monitor', 'internal'];
/** Everything but errors and feedback. Browser reports (`security`) are stored, but errors go before them. */
const ALL_BUT_ERRORS = [...ALL_BUT_STORED, 'security'].join(';');

export interface Pressure {
  /** Fill of the spool, 0 to 1. */
  readonly fill: number;
  /** Current rate limits of the project's upstream. */
  readonly upstreamLimits: readonly RateLimit[];
  /** Without an upstream the store is the only sink, and categories that it does not keep can stop. */
  readonly hasUpstream: boolean;
  /** Wall clock, ms since the epoch. */
  readonly nowMs: number;
}

/** Returns the text of `X-Sentry-Rate-Limits`, or null when no category has to stop (protocol H10). */
export function backPressure({ fill, upstreamLimits, hasUpstream, nowMs }: Pressure): string | null {
  if (!hasUpstream) return limitText(PAUSE_SECONDS, ALL_BUT_STORED, 'errata_no_upstream');
  if (upstreamLimits.length === 0 && fill < FILL_LARGE) return null;
  const limits = upstreamLimits.map((limit) => withoutErrors(limit, nowMs)).filter((limit) => limit !== null);
  if (fill >= FILL_TELEMETRY)
    limits.push(limitText(PAUSE_SECONDS, [...LARGE, ...TELEMETRY], 'errata_backpressure'));
  else if (fill >= FILL_LARGE) limits.push(limitText(PAUSE_SECONDS, LARGE, 'errata_backpressure'));
  return limits.length === 0 ? null : limits.join(', ');
}

/** Returns the text of a limit on everything but errors and feedback. */
export function allButErrors(seconds: number, reason: string): string {
  return `${seconds}:${ALL_BUT_ERRORS}:key:${reason}`;
}

/** Returns an upstream's limit without errors and feedback, or null if it has expired or no category is left. */
function withoutErrors({ categories, untilMs, reason }: RateLimit, nowMs: number): string | null {
  const seconds = Math.ceil((untilMs - nowMs) / 1_000);
  if (seconds <= 0) return null;
  if (categories.length === 0) return allButErrors(seconds, reason ?? 'upstream');
  const named = new Set(
    categories
      .filter((category) => !ERRORS.has(category))
      .flatMap((name) => [name, ALIASES.get(name) ?? name]),
  );
  return named.size === 0 ? null : limitText(seconds, [...named], reason ?? 'upstream');
}

function limitText(seconds: number, categories: readonly string[], reason: string): string {
  return `${seconds}:${categories.join(';')}:key:${reason}`;
}
