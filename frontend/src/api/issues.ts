import {
  CONSOLE_FEEDBACK_PATH,
  CONSOLE_ISSUES_PATH,
  CONSOLE_PROJECTS_PATH,
  type FeedbackList,
  type IssueList,
  type IssueQuery,
  type NewNote,
  type NewPageLine,
  type Note,
  type PageLine,
  type ProjectList,
  type StatusChange,
  type StatusChanged,
} from '@errata/backend/contract/issues-api.ts';
import type { IssueName } from '@errata/backend/contract/event-api.ts';
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { issuePath } from './find.ts';
import { FEEDBACK, FIND, ISSUE, ISSUES, PROJECTS, invalidate } from './keys.ts';
import { pagePath, requestJson } from './request.ts';

/** The default query: open issues, last seen first. */
export const ANY_ISSUE: IssueQuery = {
  q: '',
  status: 'open',
  kind: 'all',
  project: '',
  sort: 'last',
  cursor: null,
};

function searchOf({ q, status, kind, project, sort, cursor }: IssueQuery): string {
  const parameters = new URLSearchParams({ status, sort });
  if (q !== '') parameters.set('q', q);
  if (kind !== 'all') parameters.set('kind', kind);
  if (project !== '') parameters.set('project', project);
  if (cursor !== null) parameters.set('cursor', cursor);
  return parameters.toString();
}

/** While the list has failed to load, so that it comes back soon after the server. */
const RETRY_MS = 5_000;

/** Loads one page of the list and shows the previous page until the next is loaded. */
export function useIssues(query: IssueQuery) {
  const search = searchOf(query);
  return useQuery({
    queryKey: [ISSUES, search],
    queryFn: ({ signal }) => requestJson<IssueList>(`${CONSOLE_ISSUES_PATH}?${search}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.error === null ? false : RETRY_MS),
  });
}

/** Lists the projects that have sent data. */
export function useProjects() {
  return useQuery({
    queryKey: [PROJECTS],
    queryFn: ({ signal }) => requestJson<ProjectList>(CONSOLE_PROJECTS_PATH, { signal }),
  });
}

/** Pages through feedback that is not linked to an event. */
export function useFeedback() {
  return useInfiniteQuery({
    queryKey: [FEEDBACK],
    queryFn: ({ pageParam, signal }) =>
      requestJson<FeedbackList>(pagePath(CONSOLE_FEEDBACK_PATH, pageParam), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}

/** Sets the status of issues and finishes when all views of them are refetched. */
export function useSetStatus() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ issues, ...change }: StatusChange) =>
      requestJson<StatusChanged>(`${CONSOLE_ISSUES_PATH}/status`, {
        method: 'POST',
        body: { issues: issues.map(({ key, project }) => ({ key, project })), ...change },
      }),
    onSuccess: () => invalidate(client, ISSUES, ISSUE, FIND),
  });
}

export function useAddNote({ address, project }: IssueName) {
  const client = useQueryClient();
  return useMutation({
    // Always with the project: another project may have the same digest since the page was loaded.
    mutationFn: (body: NewNote) =>
      requestJson<Note>(issuePath(address, project, '/notes'), { method: 'POST', body }),
    onSuccess: () => client.invalidateQueries({ queryKey: [ISSUE, address] }),
  });
}

/** Sets the line on the error pages of an issue. */
export function useSetPageLine({ address, project }: IssueName) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewPageLine) =>
      requestJson<PageLine>(issuePath(address, project, '/page-line'), { method: 'PUT', body }),
    onSuccess: () => client.invalidateQueries({ queryKey: [ISSUE, address] }),
  });
}
