import {
  CONSOLE_FEEDBACK_PATH,
  CONSOLE_ISSUES_PATH,
  type FeedbackList,
  type IssueList,
  type IssueQuery,
  type NewNote,
  type Note,
  type StatusChange,
  type StatusChanged,
} from '@errata/backend/contract/issues-api.ts';
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { issuePath } from './look-up.ts';
import { requestJson } from './request.ts';

/** What nobody has chosen otherwise: what is open, the latest first. */
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

/** One page of the list; the one before stays in sight until the next is there. */
export function useIssues(query: IssueQuery) {
  const search = searchOf(query);
  return useQuery({
    queryKey: ['issues', search],
    queryFn: ({ signal }) => requestJson<IssueList>(`${CONSOLE_ISSUES_PATH}?${search}`, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** What people wrote without an event to it. */
export function useFeedback() {
  return useInfiniteQuery({
    queryKey: ['feedback'],
    queryFn: ({ pageParam, signal }) => {
      const cursor = pageParam === null ? '' : `?cursor=${encodeURIComponent(pageParam)}`;
      return requestJson<FeedbackList>(`${CONSOLE_FEEDBACK_PATH}${cursor}`, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}

/** Says what is to be done about issues. What shows them is asked for again before it counts as done. */
export function useSetStatus() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: StatusChange) =>
      requestJson<StatusChanged>(`${CONSOLE_ISSUES_PATH}/status`, { method: 'POST', body }),
    onSuccess: () =>
      Promise.all(['issues', 'issue', 'find'].map((name) => client.invalidateQueries({ queryKey: [name] }))),
  });
}

export function useAddNote(digest: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewNote) => requestJson<Note>(`${issuePath(digest)}/notes`, { method: 'POST', body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['issue', digest], exact: true }),
  });
}
