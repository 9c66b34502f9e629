import type { EventDetail } from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';

/** The event whose stack tells the cause of this one: its own, or for a brief repeat the newest full one's. */
export function causeEvent(issue: IssueAnswer, event: EventDetail): EventDetail {
  return event.brief === true ? (issue.latest ?? event) : event;
}
