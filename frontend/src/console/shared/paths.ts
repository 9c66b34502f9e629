import type { IssueName } from '@errata/backend/contract/event-api.ts';

export const FIND_PATH = '/console';
export const ISSUES_PATH = '/console/issues';
export const LIVE_PATH = '/console/live';
export const DELIVERY_PATH = '/console/delivery';
export const ACCOUNT_PATH = '/console/account';
export const SETUP_PATH = '/console/setup';
export const SIGN_IN_PATH = '/console/sign-in';

/** Must fit the request line of a server. */
const MAX_QUERY = 2_000;

/** Keeps both ends of a long text: a digest is in the first or last lines, around a stack. */
function shortened(text: string): string {
  if (text.length <= MAX_QUERY) return text;
  const half = MAX_QUERY / 2;
  return `${text.slice(0, half)}\n${text.slice(1 - half)}`;
}

export function findPath(text: string): string {
  return `${FIND_PATH}?${new URLSearchParams({ q: shortened(text.trim()) }).toString()}`;
}

/** Returns the path of the Delivery page with one dead letter opened. */
export function deadLetterPath(id: string): string {
  return `${DELIVERY_PATH}?letter=${encodeURIComponent(id)}`;
}

/** Returns the path for an event ID; the answer page redirects to its issue. */
export function eventPath(eventId: string): string {
  return `/console/e/${encodeURIComponent(eventId)}`;
}

/** Returns the permalink of an issue, or of one of its events. */
export function answerPath({ address, project, isShared }: IssueName, eventId?: string | null): string {
  const query = [
    ...(isShared ? [`project=${encodeURIComponent(project)}`] : []),
    ...(eventId == null ? [] : [`event=${encodeURIComponent(eventId)}`]),
  ].join('&');
  return `/console/e/${encodeURIComponent(address)}${query === '' ? '' : `?${query}`}`;
}

/** Returns the path of the set-up page with one way. @param project canonical DSN; null for the first one. */
export function setupPath(way: string, project: string | null = null): string {
  const query = new URLSearchParams({ way, ...(project !== null && { project }) });
  return `${SETUP_PATH}?${query.toString()}`;
}
