import { CONSOLE_EVENTS_PATH, type EventDetail, type EventList } from '@errata/backend/contract/event-api.ts';
import { CONSOLE_FIND_PATH, type FindAnswer } from '@errata/backend/contract/find-api.ts';
import { CONSOLE_ISSUES_PATH, type IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { requestJson } from './request.ts';

/** Of one issue and what belongs to it. */
export function issuePath(digest: string): string {
  return `${CONSOLE_ISSUES_PATH}/${encodeURIComponent(digest)}`;
}

/** Asks what a pasted text names, page by page; an empty one is not asked. */
export function useFind(text: string) {
  return useInfiniteQuery({
    queryKey: ['find', text],
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === null ? '' : `&cursor=${encodeURIComponent(pageParam)}`;
      return requestJson<FindAnswer>(`${CONSOLE_FIND_PATH}?q=${encodeURIComponent(text)}${cursor}`, {
        signal,
      });
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    enabled: text !== '',
  });
}

export function useIssue(digest: string) {
  return useQuery({
    queryKey: ['issue', digest],
    queryFn: ({ signal }) => requestJson<IssueAnswer>(issuePath(digest), { signal }),
  });
}

/** The occurrences of an issue, newest first, page by page. */
export function useIssueEvents(digest: string) {
  return useInfiniteQuery({
    queryKey: ['issue', digest, 'events'],
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === null ? '' : `?cursor=${encodeURIComponent(pageParam)}`;
      return requestJson<EventList>(`${issuePath(digest)}/events${cursor}`, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}

/**
 * One occurrence; null asks nothing. Where it is and its other half change; the one before stays in sight meanwhile.
 * What is known already is not asked for, only remembered as the one before.
 */
export function useEvent(eventId: string | null, known: EventDetail | undefined) {
  return useQuery({
    queryKey: ['event', eventId],
    queryFn: ({ signal }) =>
      requestJson<EventDetail>(`${CONSOLE_EVENTS_PATH}/${encodeURIComponent(eventId ?? '')}`, { signal }),
    enabled: eventId !== null && known === undefined,
    initialData: known,
    // It was known on another query's account: asked for by itself one day, it is old.
    initialDataUpdatedAt: 0,
    placeholderData: keepPreviousData,
  });
}

/** Where an event's scrubbed JSON is downloaded. */
export function rawEventPath(eventId: string): string {
  return `${CONSOLE_EVENTS_PATH}/${encodeURIComponent(eventId)}/raw`;
}
