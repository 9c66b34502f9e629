import type { EventSummary, IssueKind, IssueName } from './event-api.ts';

export const CONSOLE_LIVE_PATH = '/console/api/live';

export interface LiveEvent extends EventSummary, IssueName {
  readonly kind: IssueKind;
  readonly title: string;
  /** The first event of its issue. */
  readonly isNew: boolean;
}

/** Most {@link LiveEvents.passed} that are counted: counting more would cost each viewer a long query. */
export const MAX_LIVE_PASSED = 10_000;

/** Response of `GET /console/api/live`: the events stored since the call that returned the cursor `after`. */
export interface LiveEvents {
  /** Oldest first: the newest 50, and events that another replica committed late. None in the first call. */
  readonly events: readonly LiveEvent[];
  /** Events since then that are not in the list, at most 10,000. */
  readonly passed: number;
  /** Cursor for the next call. */
  readonly next: string;
}
