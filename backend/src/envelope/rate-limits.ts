/** One limit an upstream told. */
export interface RateLimit {
  /** Data categories; empty means all of them. */
  readonly categories: readonly string[];
  /** When it ends, wall clock, ms since the epoch. */
  readonly untilMs: number;
  /** The upstream's code for it (`quota_exceeded`), only `[A-Za-z0-9_.-]`; null where it told none. */
  readonly reason: string | null;
}

/** Answer headers as Node and undici have them: lower-case names, several lines as an array. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A 429 that does not say how long (Sentry's rule for SDKs). */
const DEFAULT_DELAY_MS = 60_000;
/** No envelope waits longer than the age at which errors expire, so a longer limit says nothing more. */
const MAX_DELAY_MS = 7 * 24 * 3_600_000;
/** An upstream may be anybody's: what is beyond these is not looked at. Relay tells one limit per quota. */
const MAX_HEADER_LENGTH = 8 * 1024;
const MAX_LIMITS = 64;
const MAX_CATEGORIES = 64;

const SECONDS = /^\d{1,12}(?:\.\d{1,9})?$/;
const CATEGORY = /^[a-z][a-z\d_]{0,63}$/;
const REASON = /^[\w.-]{1,64}$/;
/** How all three forms of an HTTP date begin (RFC 9110, 5.6.7). */
const DATE = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? /i;

/**
 * The limits in an upstream's answer, whatever its status (protocol H10, H11).
 *
 * `X-Sentry-Rate-Limits` is `seconds:categories:scope:reason:namespaces, …`; parts nobody knows are passed over, a
 * limit without readable seconds too. Only where it tells nothing, `Retry-After` of a 429 or 503 holds for all
 * categories, in seconds or as a date; a 429 without either holds for 60 seconds.
 *
 * @param nowMs wall clock, ms since the epoch.
 * @see https://develop.sentry.dev/sdk/foundations/transport/rate-limiting/
 */
export function parseRateLimits(status: number, headers: AnswerHeaders, nowMs: number): readonly RateLimit[] {
  const told = headers['x-sentry-rate-limits'];
  const limits = told === undefined ? [] : parseLimits(textOf(told), nowMs);
  if (limits.length > 0 || (status !== 429 && status !== 503)) return limits;
  const delayMs = parseRetryAfter(textOf(headers['retry-after']), nowMs);
  if (delayMs === undefined && status !== 429) return [];
  return [{ categories: [], untilMs: nowMs + (delayMs ?? DEFAULT_DELAY_MS), reason: null }];
}

/** When the longest of these limits on a category ends, ms since the epoch; 0 where none holds it. */
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
    .filter((category) => category !== 'metric_bucket' || holdsCustomMetrics(namespaces));
  // Empty because all its names fell out: not a limit on everything.
  if (named !== '' && categories.length === 0) return undefined;
  return {
    categories,
    untilMs: nowMs + cappedMs(Number(seconds) * 1_000),
    reason: REASON.test(reason) ? reason : null,
  };
}

/** Namespaces narrow a limit on metrics; `custom` is the only one that SDKs send. */
function holdsCustomMetrics(namespaces: string): boolean {
  return namespaces === '' || namespaces.split(';').some((namespace) => namespace.trim() === 'custom');
}

/** Delay in ms, undefined where the text is neither seconds nor a date. */
function parseRetryAfter(text: string, nowMs: number): number | undefined {
  if (SECONDS.test(text)) return cappedMs(Number(text) * 1_000);
  if (!DATE.test(text)) return undefined;
  // The oldest form, asctime, names no zone and means GMT.
  const atMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(atMs) ? undefined : cappedMs(atMs - nowMs);
}

function cappedMs(delayMs: number): number {
  return Math.min(Math.max(Math.ceil(delayMs), 0), MAX_DELAY_MS);
}

/** Several lines of one header are one list (RFC 9110, 5.3). */
function textOf(value: string | readonly string[] | undefined): string {
  const text = typeof value === 'string' ? value : (value ?? []).join(',');
  return text.slice(0, MAX_HEADER_LENGTH).trim();
}
