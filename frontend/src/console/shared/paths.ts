import type { IssueName } from '@errata/backend/contract/event-api.ts';

export const FIND_PATH = '/console';
export const ISSUES_PATH = '/console/issues';
export const LIVE_PATH = '/console/live';
export const DELIVERY_PATH = '/console/delivery';
export const ACCOUNT_PATH = '/console/account';
export const SETUP_PATH = '/console/setup';
export const SIGN_IN_PATH = '/console/sign-in';

/**
 * A server reads headers of 16 KiB, among them the cookies and, as Referer, the address of the page. It reads 4,096 characters
 * of a text, and one of them may take nine bytes.
 */
const MAX_PATH = 4_000;
const MAX_SHORTENED = 2_000;
/** Ids that Find reads inside a long text, the ones behind a name with it. */
const IDS =
  /(?:digest|reference|\bray\b|(?:request|correlation|trace|error)[\s._-]?(?:id|code))[^\n]{0,60}|(?<![\da-z])(?:[\da-f][\da-f-]{31,63}|(?=\S{0,8}\d)[\da-z]{4}-[\da-z]{4})(?![\da-z])/gi;

/** A cut through a surrogate pair leaves one half. */
const HALF_PAIR = /\p{Cs}/gu;

function inAddress(text: string): string {
  return `${FIND_PATH}?${new URLSearchParams({ q: text }).toString()}`;
}

/** Keeps both ends of a long text and the ids between them: a digest is in the first or last lines, around a stack. */
function shortened(text: string, length: number): string {
  const ids = [...new Set(text.match(IDS))].join('\n').slice(0, length / 2);
  const half = Math.floor((length - ids.length - 2) / 2);
  const parts = [text.slice(0, half), ids, text.slice(-half)].filter((part) => part !== '');
  return parts.join('\n').replaceAll(HALF_PAIR, '');
}

/** Returns a text that fits into an address; of a long one the parts that name an error. */
export function addressable(text: string): string {
  const whole = text.trim();
  let short = whole;
  for (let length = MAX_SHORTENED; inAddress(short).length > MAX_PATH; length /= 2)
    short = shortened(whole, length);
  return short;
}

/** Returns the path that finds a text. */
export function findPath(text: string): string {
  return inAddress(addressable(text));
}

/** Returns the path of the Delivery page with one dead letter opened. */
export function deadLetterPath(id: string): string {
  return `${DELIVERY_PATH}?letter=${encodeURIComponent(id)}`;
}

/** Returns the path for an event ID; the answer page redirects to its issue. */
export function eventPath(eventId: string): string {
  return `/console/e/${encodeURIComponent(eventId)}`;
}

/** Returns the permalink of an issue, or of one of its events. @param q the search that filters its events. */
export function answerPath(
  { address, project, isShared }: IssueName,
  eventId?: string | null,
  q?: string,
): string {
  const query = Object.entries({ project: isShared && project, event: eventId, q })
    // A lone half of a pair, which encodeURIComponent refuses, becomes U+FFFD, as in URLSearchParams.
    .flatMap(([name, value]) => (value ? `${name}=${encodeURIComponent(value.toWellFormed())}` : []))
    .join('&');
  return `/console/e/${encodeURIComponent(address)}${query && '?'}${query}`;
}

/** Returns the path of the set-up page with one way. @param project canonical DSN; null for the first one. */
export function setupPath(way: string, project: string | null = null): string {
  const query = new URLSearchParams({ way, ...(project !== null && { project }) });
  return `${SETUP_PATH}?${query.toString()}`;
}
