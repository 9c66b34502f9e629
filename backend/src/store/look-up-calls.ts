import type { EventList } from '../contract/event-api.ts';
import { eventIdOf } from './event/feedback.ts';
import type { StoredDetail } from './queries/event-detail.ts';
import { eventById, listEvents } from './queries/events.ts';
import { find, type StoredFind } from './queries/find.ts';
import { answerOf, type StoredAnswer } from './queries/issue-answer.ts';
import { oneIssue } from './queries/look-up.ts';
import { pageSize } from './queries/cursor.ts';
import type { StoreContext } from './store-context.ts';

const FOUND_PAGE = 50;

/** Finding errors again. */
export const LOOK_UP_CALLS = {
  /** One page of what a text means; `cursor` as an earlier answer gave it, else the beginning. */
  find: (context: StoreContext, query: string, cursor: string | null = null): Promise<StoredFind> =>
    find(context, query, { cursor, limit: FOUND_PAGE }),

  /**
   * By what people see (digest), a prefix of it, a reference or an event id. Undefined when nothing or several
   * digests fit; of one digest in several projects, and no project named, it is the one seen last.
   */
  issue: async (
    { db, now }: StoreContext,
    digest: string,
    project: string | null = null,
  ): Promise<StoredAnswer | undefined> => {
    const issue = await oneIssue(db, digest, project);
    return issue === undefined ? undefined : answerOf(db, issue, now());
  },

  issueEvents: async (
    { db }: StoreContext,
    digest: string,
    limit: number,
    cursor: string | null,
    project: string | null = null,
  ): Promise<EventList | undefined> => {
    const issue = await oneIssue(db, digest, project);
    return issue === undefined ? undefined : listEvents(db, issue.id, pageSize(limit), cursor);
  },

  /** Where several projects have the id and none is named, the newer event. */
  event: async (
    { db }: StoreContext,
    eventId: string,
    project: string | null = null,
  ): Promise<StoredDetail | undefined> => {
    const id = eventIdOf(eventId);
    return id === null ? undefined : eventById(db, id, project);
  },
};
