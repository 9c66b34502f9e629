import {
  CONSOLE_EVENTS_PATH,
  type EventDetail,
  type EventList,
  type IssueName,
} from '@errata/backend/contract/event-api.ts';
import {
  CONSOLE_FIND_EXAMPLES_PATH,
  CONSOLE_FIND_PATH,
  type FindAnswer,
  type FindExamples,
} from '@errata/backend/contract/find-api.ts';
import { CONSOLE_ISSUES_PATH, type IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { EVENT, FIND, FIND_EXAMPLES, ISSUE, ISSUE_EVENTS } from './keys.ts';
import { pagePath, requestJson, withParameter } from './request.ts';

/** Canonical DSN of the project, where several projects have the same digest; null for the project seen last. */
type Project = string | null;

function inProject(path: string, project: Project): string {
  return withParameter(path, 'project', project);
}

/** Returns the API path of an issue, or of a part of it. */
export function issuePath(digest: string, project: Project, part = ''): string {
  return inProject(`${CONSOLE_ISSUES_PATH}/${encodeURIComponent(digest)}${part}`, project);
}

/** Pages through the results for a pasted text; an empty text loads nothing. */
export function useFind(text: string) {
  const path = `${CONSOLE_FIND_PATH}?q=${encodeURIComponent(text)}`;
  return useInfiniteQuery({
    queryKey: [FIND, text],
    queryFn: ({ pageParam, signal }) => requestJson<FindAnswer>(pagePath(path, pageParam), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    enabled: text !== '',
  });
}

/** Loads values of the newest events, as examples: they stay the same while the console is open. */
export function useFindExamples() {
  return useQuery({
    queryKey: [FIND_EXAMPLES],
    queryFn: ({ signal }) => requestJson<FindExamples>(CONSOLE_FIND_EXAMPLES_PATH, { signal }),
    staleTime: Infinity,
  });
}

function issueQuery(digest: string, project: Project) {
  return queryOptions({
    queryKey: [ISSUE, digest, project],
    queryFn: ({ signal }) => requestJson<IssueAnswer>(issuePath(digest, project), { signal }),
  });
}

export function useIssue(digest: string, project: Project) {
  return useQuery(issueQuery(digest, project));
}

/** Loads an issue before its page is rendered; that page shows an error. */
export function prefetchIssue(client: QueryClient, digest: string, project: Project): void {
  void client.prefetchQuery(issueQuery(digest, project));
}

/** Pages through the events of an issue, or those that match a search, newest first; an empty one lists all. Shows the previous list until the first page is loaded. */
export function useIssueEvents({ address, project, isShared }: IssueName, q: string) {
  const path = withParameter(issuePath(address, isShared ? project : null, '/events'), 'q', q || null);
  return useInfiniteQuery({
    queryKey: [ISSUE_EVENTS, address, project, q],
    queryFn: ({ pageParam, signal }) => requestJson<EventList>(pagePath(path, pageParam), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}

/**
 * Loads one event; null loads nothing. Delivery status and linked event change, so the event is refetched; meanwhile
 * the previous event stays visible. A known event is not requested, only kept as the previous one.
 */
export function useEvent(eventId: string | null, project: Project, known: EventDetail | undefined) {
  return useQuery({
    queryKey: [EVENT, eventId, project],
    queryFn: ({ signal }) =>
      requestJson<EventDetail>(
        inProject(`${CONSOLE_EVENTS_PATH}/${encodeURIComponent(eventId ?? '')}`, project),
        { signal },
      ),
    enabled: eventId !== null && known === undefined,
    initialData: known,
    // The known event came with another query. A later request of its own must refetch it.
    initialDataUpdatedAt: 0,
    placeholderData: keepPreviousData,
  });
}

/** Returns the path of an event's JSON download, secrets removed. */
export function rawEventPath({ eventId, project }: Pick<EventDetail, 'eventId' | 'project'>): string {
  return inProject(`${CONSOLE_EVENTS_PATH}/${encodeURIComponent(eventId)}/raw`, project);
}
