import type { IssueName } from '@errata/backend/contract/event-api.ts';

export const FIND_PATH = '/console';
export const ISSUES_PATH = '/console/issues';
export const LIVE_PATH = '/console/live';
export const DELIVERY_PATH = '/console/delivery';
export const ACCOUNT_PATH = '/console/account';

/** One server request line must hold it. */
const MAX_QUERY = 2_000;

/** A digest stands in the first or in the last lines of whatever is pasted; a long stack lies between. */
function shortened(text: string): string {
  if (text.length <= MAX_QUERY) return text;
  const half = MAX_QUERY / 2;
  return `${text.slice(0, half)}\n${text.slice(1 - half)}`;
}

export function findPath(text: string): string {
  return `${FIND_PATH}?${new URLSearchParams({ q: shortened(text.trim()) }).toString()}`;
}

/** Delivery, with one dead letter looked into. */
export function deadLetterPath(id: string): string {
  return `${DELIVERY_PATH}?letter=${encodeURIComponent(id)}`;
}

/** An event by its id: the answer page leads from there to its issue. */
export function eventPath(eventId: string): string {
  return `/console/e/${encodeURIComponent(eventId)}`;
}

/** The permalink of an issue, or of one occurrence of it. */
export function answerPath({ digest, project, isShared }: IssueName, eventId: string | null = null): string {
  const query = [
    ...(isShared ? [`project=${encodeURIComponent(project)}`] : []),
    ...(eventId === null ? [] : [`event=${encodeURIComponent(eventId)}`]),
  ].join('&');
  return `/console/e/${encodeURIComponent(digest)}${query === '' ? '' : `?${query}`}`;
}
