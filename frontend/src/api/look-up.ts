import {
  CONSOLE_EVENTS_PATH,
  type EventDetail,
  type EventList,
  type IssueName,
} from '@errata/backend/contract/event-api.ts';
import { CONSOLE_FIND_PATH, type FindAnswer } from '@errata/backend/contract/find-api.ts';
import { CONSOLE_ISSUES_PATH, type IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { pagePath, requestJson } from './request.ts';

/** Canonical DSN of the project that is meant, where several have the same; null for the one seen last. */
type Project = string | null;

function inProject(path: string, project: Project): string {
  return project === null ? path : `${path}?project=${encodeURIComponent(project)}`;
}

/** Of one issue, or of a part of what belongs to it. */
export function issuePath(digest: string, project: Project, part = ''): string {
  return inProject(`${CONSOLE_ISSUES_PATH}/${encodeURIComponent(digest)}${part}`, project);
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

function issueQuery(digest: string, project: Project) {
  return queryOptions({
    queryKey: ['issue', digest, project],
    queryFn: ({ signal }) => requestJson<IssueAnswer>(issuePath(digest, project), { signal }),
  });
}

export function useIssue(digest: string, project: Project) {
  return useQuery(issueQuery(digest, project));
}

/** Asks for an issue before the page that shows it is drawn; a refusal is for that page to say. */
export function prefetchIssue(client: QueryClient, digest: string, project: Project): void {
  void client.prefetchQuery(issueQuery(digest, project));
}

/** The occurrences of an issue, newest first, page by page. */
export function useIssueEvents({ digest, project, isShared }: IssueName) {
  const path = issuePath(digest, isShared ? project : null, '/events');
  return useInfiniteQuery({
    queryKey: ['issue-events', digest, project],
    queryFn: ({ pageParam, signal }) => requestJson<EventList>(pagePath(path, pageParam), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}

/**
 * One occurrence; null asks nothing. Where it is and its other half change; the one before stays in sight meanwhile.
 * What is known already is not asked for, only remembered as the one before.
 */
export function useEvent(eventId: string | null, project: Project, known: EventDetail | undefined) {
  return useQuery({
    queryKey: ['event', eventId, project],
    queryFn: ({ signal }) =>
      requestJson<EventDetail>(
        inProject(`${CONSOLE_EVENTS_PATH}/${encodeURIComponent(eventId ?? '')}`, project),
        { signal },
      ),
    enabled: eventId !== null && known === undefined,
    initialData: known,
    // It was known on another query's account: asked for by itself one day, it is old.
    initialDataUpdatedAt: 0,
    placeholderData: keepPreviousData,
  });
}

/** Where an event's scrubbed JSON is downloaded. */
export function rawEventPath({ eventId, project }: Pick<EventDetail, 'eventId' | 'project'>): string {
  return inProject(`${CONSOLE_EVENTS_PATH}/${encodeURIComponent(eventId)}/raw`, project);
}
