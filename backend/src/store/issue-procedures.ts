import type { Note, ProjectList } from '../contract/issues-api.ts';
import type { StoreContext } from './store-context.ts';
import type { QueryContext } from './db/query-context.ts';
import { addNote } from './issues/notes.ts';
import { pageLine, setPageLine } from './issues/page-line.ts';
import { issueStates, setStatus } from './issues/issue-status.ts';
import { listEvents } from './queries/event-list.ts';
import { eventById, rawEventById } from './queries/events.ts';
import { issueFacets } from './queries/facets.ts';
import { listFeedback } from './queries/feedback-list.ts';
import { find } from './queries/find.ts';
import { findExamples } from './queries/find-examples.ts';
import { answerOf, type StoredAnswer } from './queries/issue-answer.ts';
import { countIssues, listIssues } from './queries/issue-list.ts';
import { liveEvents } from './queries/live-events.ts';
import { trendOf } from './queries/trend.ts';
import { listViolations } from './queries/violation-list.ts';
import { oneIssue } from './queries/find-by-name.ts';

/** Procedures that look up and list issues, and write their status and notes. */
export const ISSUE_PROCEDURES = {
  find,
  findExamples,

  /**
   * Returns the issue that a text names: a digest, a prefix of one, a reference or an event id. Undefined where no digest
   * or several match. Where several projects have the digest and none is named, it is the issue seen last.
   */
  issue: async (
    context: QueryContext,
    digest: string,
    project: string | null = null,
  ): Promise<StoredAnswer | undefined> => {
    const issue = await oneIssue(context.db, digest, project);
    return issue === undefined ? undefined : answerOf(context, issue);
  },

  issueEvents: listEvents,
  issueFacets,
  event: eventById,
  rawEvent: rawEventById,
  issues: listIssues,
  countIssues,
  trend: trendOf,
  violations: (context: StoreContext) => listViolations(context, context.cache.violations.mostFirst()),

  projects: async ({ db }: QueryContext): Promise<ProjectList> => {
    const rows = await db.selectFrom('project').select('dsn').orderBy('dsn').execute();
    return { projects: rows.map(({ dsn }) => dsn) };
  },

  issueStates,
  setStatus,

  /** Returns undefined where the digest names no issue. */
  addNote: async (
    { db, now }: QueryContext,
    digest: string,
    note: Pick<Note, 'author' | 'text'>,
    project: string | null = null,
  ): Promise<Note | undefined> => {
    const issue = await oneIssue(db, digest, project);
    return issue === undefined ? undefined : addNote(db, issue.id, note, now());
  },

  pageLine,

  /** Returns whether the pages of the issue can show a line; undefined where the digest names no issue. */
  setPageLine: async (
    { db }: QueryContext,
    digest: string,
    text: string,
    project: string,
  ): Promise<boolean | undefined> => {
    const issue = await oneIssue(db, digest, project);
    return issue === undefined ? undefined : setPageLine(db, issue, text);
  },

  feedback: listFeedback,
  liveEvents,
};
