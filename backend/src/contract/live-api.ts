import type { EventSummary, IssueKind, IssueName } from './event-api.ts';

/**
 * What comes in, as it comes: `GET /console/api/live`, server-sent events. Each `event` has a {@link LiveEvent} as its
 * data and a cursor as its id, so that a browser that comes back misses none, nor a page that asks with `after`; `gap`
 * tells how many were passed over.
 */
export const CONSOLE_LIVE_PATH = '/console/api/live';

export interface LiveEvent extends EventSummary, IssueName {
  readonly kind: IssueKind;
  readonly title: string;
  /** The first event of its issue. */
  readonly isNew: boolean;
}

/** Data of `gap`: more came than is shown one by one. */
export interface LiveGap {
  readonly events: number;
}
