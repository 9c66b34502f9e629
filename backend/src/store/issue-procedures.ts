import type {
  FeedbackList,
  IssueList,
  IssueQuery,
  Note,
  ProjectList,
  StatusChange,
  StatusChanged,
} from '../contract/issues-api.ts';
import { type PreviousStatus, issueStates, setStatus } from './issues/issue-status.ts';
import { addNote } from './issues/notes.ts';
import { pageSize } from './queries/cursor.ts';
import { listFeedback } from './queries/feedback-list.ts';
import { countIssues, listIssues } from './queries/issue-list.ts';
import { oneIssue } from './queries/look-up.ts';
import type { StoreContext } from './store-context.ts';

const ALL_ISSUES: Omit<IssueQuery, 'cursor'> = {
  q: '',
  status: 'all',
  kind: 'all',
  project: '',
  sort: 'last',
};

/** What there is, and what people have to say about it. */
export const ISSUE_CALLS = {
  /** `limit` at most, 200 in any case; `cursor` as an earlier answer gave it, else the beginning. */
  issues: (
    context: StoreContext,
    limit: number,
    cursor: string | null,
    query: Partial<Omit<IssueQuery, 'cursor'>> = {},
  ): Promise<Omit<IssueList, 'total'>> =>
    listIssues(context, pageSize(limit), { ...ALL_ISSUES, ...query, cursor }),

  /** Counts the issues of all pages, up to 1,000. */
  countIssues: (context: StoreContext, query: Omit<IssueQuery, 'cursor'>): Promise<number> =>
    countIssues(context, query),

  projects: async ({ db }: StoreContext): Promise<ProjectList> => {
    const rows = await db.selectFrom('project').select('dsn').orderBy('dsn').execute();
    return { projects: rows.map(({ dsn }) => dsn) };
  },

  issueStates: ({ db }: StoreContext, named: StatusChange['issues']): Promise<readonly PreviousStatus[]> =>
    issueStates(db, named),

  setStatus: async ({ db, now }: StoreContext, change: StatusChange): Promise<StatusChanged> => ({
    changed: await setStatus(db, change, now()),
  }),

  /** Undefined when the digest names no issue. */
  addNote: async (
    { db, now }: StoreContext,
    digest: string,
    note: Pick<Note, 'author' | 'text'>,
    project: string | null = null,
  ): Promise<Note | undefined> => {
    const issue = await oneIssue(db, digest, project);
    return issue === undefined ? undefined : addNote(db, issue.id, note, now());
  },

  feedback: ({ db }: StoreContext, limit: number, cursor: string | null): Promise<FeedbackList> =>
    listFeedback(db, pageSize(limit), cursor),
};
