/** A rate limit of an upstream. */
export interface RateLimit {
  /** Data categories; an empty list means all. */
  readonly categories: readonly string[];
  /** End of the limit, wall clock, ms since the epoch. */
  readonly untilMs: number;
  /** The upstream's code of the reason (`quota_exceeded`), only `[A-Za-z0-9_.-]`; null without one. */
  readonly reason: string | null;
}

/** Response headers in the form of Node and undici: lower-case names, several lines as an array. */
export type UpstreamHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Limit of a 429 without a time (Sentry's rule for SDKs). */
const DEFAULT_DELAY_MS = 60_000;
/** Errors expire after seven days, so a longer limit has no further effect. */
const MAX_DELAY_MS = 7 * 24 * 3_600_000;
/** Bounds for headers of a hostile upstream; the rest is ignored. Relay sends one limit for each quota. */
const MAX_HEADER_LENGTH = 8 * 1024;
const MAX_LIMITS = 64;
const MAX_CATEGORIES = 64;

const SECONDS = /^\d{1,12}(?:\.\d{1,9})?$/;
const CATEGORY = /^[a-z][a-z\d_]{0,63}$/;
const REASON = /^[\w.-]{1,64}$/;
/** Start of all three forms of an HTTP date (RFC 9110, 5.6.7). */
const DATE = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? /i;

/**
 * Returns the rate limits in an upstream's response of any status (protocol H10, H11).
 *
 * `X-Sentry-Rate-Limits` is `seconds:categories:scope:reason:namespaces, …`. Unknown parts are ignored, and limits
 * without readable seconds; limits of zero seconds count on a 429 only. Without a readable limit, `Retry-After` of a
 * 429 or 503 applies to all categories, in seconds or as a date; a 429 without either limits all categories for 60
 * seconds.
 *
 * @param nowMs wall clock, ms since the epoch.
 * @see https://develop.sentry.dev/sdk/foundations/transport/rate-limiting/
 */
export function parseRateLimits(
  status: number,
  headers: UpstreamHeaders,
  nowMs: number,
): readonly RateLimit[] {
  const header = headers['x-sentry-rate-limits'];
  const limits =
    header === undefined
      ? []
      : parseLimits(headerText(header), nowMs).filter(({ untilMs }) => status === 429 || untilMs > nowMs);
  if (limits.length > 0 || (status !== 429 && status !== 503)) return limits;
  const delayMs = parseRetryAfter(headerText(headers['retry-after']), nowMs);
  if (delayMs === undefined && status !== 429) return [];
  return [{ categories: [], untilMs: nowMs + (delayMs ?? DEFAULT_DELAY_MS), reason: null }];
}

/** Returns the end of the longest limit on a category, ms since the epoch; 0 without a limit. */
export function limitedUntilMs(limits: readonly RateLimit[], category: string): number {
  return limits
    .filter(({ categories }) => categories.length === 0 || categories.includes(category))
    .reduce((latest, { untilMs }) => Math.max(latest, untilMs), 0);
}

function parseLimits(text: string, nowMs: number): readonly RateLimit[] {
  return text
    .split(',', MAX_LIMITS)
    .map((one) => parseLimit(one, nowMs))
    .filter((limit) => limit !== undefined);
}

function parseLimit(text: string, nowMs: number): RateLimit | undefined {
  const [seconds = '', named = '', , reason = '', namespaces = ''] = text
    .split(':')
    .map((part) => part.trim());
  if (!SECONDS.test(seconds)) return undefined;
  const categories = named
    .split(';', MAX_CATEGORIES)
    .map((category) => category.trim())
    .filter((category) => CATEGORY.test(category))
    .filter((category) => category !== 'metric_bucket' || coversCustomMetrics(namespaces));
  // All names were unreadable. An empty list would be a limit on everything.
  if (named !== '' && categories.length === 0) return undefined;
  return {
    categories,
    untilMs: nowMs + cappedMs(Number(seconds) * 1_000),
    reason: REASON.test(reason) ? reason : null,
  };
}

/** Namespaces restrict a limit on metrics; SDKs send only `custom`. */
function coversCustomMetrics(namespaces: string): boolean {
  return namespaces === '' || namespaces.split(';').some((namespace) => namespace.trim() === 'custom');
}

/** Returns the delay in ms, or undefined if the text is neither seconds nor a date. */
function parseRetryAfter(text: string, nowMs: number): number | undefined {
  if (SECONDS.test(text)) return cappedMs(Number(text) * 1_000);
  if (!DATE.test(text)) return undefined;
  // The oldest form, asctime, has no zone and means GMT.
  const atMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(atMs) ? undefined : cappedMs(atMs - nowMs);
}

function cappedMs(delayMs: number): number {
  return Math.min(Math.max(Math.ceil(delayMs), 0), MAX_DELAY_MS);
}

/** Joins several lines of one header to one list (RFC 9110, 5.3). */
function headerText(value: string | readonly string[] | undefined): string {
  const text = typeof value === 'string' ? value : (value ?? []).join(',');
  return text.slice(0, MAX_HEADER_LENGTH).trim();
}
