import type { EventList } from '../../contract/event-api.ts';
import type { IssueList } from '../../contract/issues-api.ts';
import { eventIdOf } from '../ingest/feedback.ts';
import type { StoredDetail } from '../queries/event-detail.ts';
import { eventById, listEvents } from '../queries/events.ts';
import { find, type StoredFind } from '../queries/find.ts';
import { answerOf, type StoredAnswer } from '../queries/issue-answer.ts';
import { listIssues } from '../queries/issue-rows.ts';
import { oneIssue } from '../queries/look-up.ts';
import type { StoreContext } from '../store-context.ts';

/** Longest page of a list. */
const MAX_PAGE = 200;

/** Finding errors again. */
export const LOOK_UP_CALLS = {
  find: ({ db, now }: StoreContext, query: string): Promise<StoredFind> => find(db, query, now()),

  /** Newest first, `limit` at most, 200 in any case; `cursor` as an earlier answer gave it, else the beginning. */
  issues: ({ db, now }: StoreContext, limit: number, cursor: string | null): Promise<IssueList> =>
    listIssues(db, pageSize(limit), cursor, now()),

  /**
   * By what people see (digest), a prefix of it, a reference or an event id. Undefined when nothing or several
   * digests fit; of one digest in several projects it is the one seen last.
   */
  issue: async ({ db, now }: StoreContext, digest: string): Promise<StoredAnswer | undefined> => {
    const issue = await oneIssue(db, digest);
    return issue === undefined ? undefined : answerOf(db, issue, now());
  },

  issueEvents: async (
    { db }: StoreContext,
    digest: string,
    limit: number,
    cursor: string | null,
  ): Promise<EventList | undefined> => {
    const issue = await oneIssue(db, digest);
    return issue === undefined ? undefined : listEvents(db, issue.id, pageSize(limit), cursor);
  },

  event: async ({ db }: StoreContext, eventId: string): Promise<StoredDetail | undefined> => {
    const id = eventIdOf(eventId);
    return id === null ? undefined : eventById(db, id);
  },
};

function pageSize(limit: number): number {
  return Math.min(Math.max(1, Math.trunc(limit)), MAX_PAGE);
}
