import type { IssueSummary } from '@errata/backend/contract/issues-api.ts';

export const FIND_PATH = '/console';

/** One server request line must hold it; a digest stands in the first lines of whatever is pasted. */
const MAX_QUERY = 2_000;

export function findPath(text: string): string {
  return `${FIND_PATH}?${new URLSearchParams({ q: text.trim().slice(0, MAX_QUERY) }).toString()}`;
}

/** The permalink of an issue, or of one occurrence of it. */
export function answerPath({ digest }: Pick<IssueSummary, 'digest'>, eventId: string | null = null): string {
  const event = eventId === null ? '' : `?event=${encodeURIComponent(eventId)}`;
  return `/console/e/${encodeURIComponent(digest)}${event}`;
}
