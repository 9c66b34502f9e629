import type { EventSummary } from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { useNavigate } from 'react-router';
import { useIssueEvents } from '../../api/look-up.ts';
import { answerPath } from '../paths.ts';

export interface Neighbours {
  /** From 0, newest first; null as long as the list has not got there. */
  readonly index: number | null;
  readonly newer: EventSummary | undefined;
  readonly older: EventSummary | undefined;
  /** Loads the next page of the list and goes to its first; null when there is none, or it is not needed. */
  readonly loadOlder: (() => Promise<void>) | null;
}

/** Where an occurrence stands in the list, as far as it is loaded. */
export function useNeighbours(issue: IssueAnswer, eventId: string): Neighbours {
  const navigate = useNavigate();
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useIssueEvents(issue.digest);
  const events = data?.pages.flatMap((page) => page.events) ?? [];
  const index = events.findIndex((event) => event.eventId === eventId);
  // An occurrence far down, opened by its reference, has no neighbours until the list gets there.
  if (index < 0) return { index: null, newer: undefined, older: undefined, loadOlder: null };

  const loadOlder = async () => {
    const { data: loaded } = await fetchNextPage();
    const next = loaded?.pages.at(-1)?.events[0];
    if (next !== undefined) await navigate(answerPath(issue, next.eventId));
  };
  const isLast = index === events.length - 1;
  return {
    index,
    newer: events[index - 1],
    older: events[index + 1],
    loadOlder: isLast && hasNextPage && !isFetchingNextPage ? loadOlder : null,
  };
}
