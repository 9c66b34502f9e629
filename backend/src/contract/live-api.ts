import type { EventSummary, IssueKind, IssueName } from './event-api.ts';

/**
 * Server-sent stream of new events, `GET /console/api/live`. Each `event` has a {@link LiveEvent} as its data and a cursor
 * as its id, so that a browser that reconnects and a page that sends `after` miss no event. `gap` holds the number of
 * events that were left out.
 */
export const CONSOLE_LIVE_PATH = '/console/api/live';

export interface LiveEvent extends EventSummary, IssueName {
  readonly kind: IssueKind;
  readonly title: string;
  /** The first event of its issue. */
  readonly isNew: boolean;
}

/** Data of `gap`: number of events that are not sent one by one. */
export interface LiveGap {
  readonly events: number;
}
