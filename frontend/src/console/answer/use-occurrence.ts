import type { EventDetail, EventList, EventSummary } from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useEvent, useIssueEvents } from '../../api/look-up.ts';
import { answerPath } from '../shared/paths.ts';
import { KEEP_FOCUS } from '../shared/use-keep-focus.ts';

export interface ShownEvent {
  /** Of the one to show; null when no event is kept any more, or that is not known yet. */
  readonly id: string | null;
  /** undefined while it is on its way or could not be loaded, null when no event is kept any more. */
  readonly event: EventDetail | null | undefined;
  readonly error: Error | null;
  /** Still the one before, until the next is here. */
  readonly isOld: boolean;
  readonly retry: () => void;
}

/** The event to show: the one the address names, or the newest, which comes with the issue itself. */
export function useOccurrence(
  issue: IssueAnswer | undefined,
  eventId: string | null,
  project: string | null,
): ShownEvent {
  const latest = issue?.latest;
  const id = eventId ?? latest?.eventId ?? null;
  const isLatest = id === (latest?.eventId ?? null);
  const { data, error, isPlaceholderData, refetch } = useEvent(
    id,
    project,
    isLatest ? (latest ?? undefined) : undefined,
  );
  return {
    id,
    event: isLatest ? latest : data,
    error: isLatest ? null : error,
    isOld: !isLatest && isPlaceholderData,
    retry: () => void refetch(),
  };
}

interface Place {
  /** From 0, newest first; null as long as the list has not got there. */
  readonly index: number | null;
  readonly newer: EventSummary | undefined;
  readonly older: EventSummary | undefined;
}

interface Neighbours extends Place {
  /** Loads the next page of the list and goes to its first; null when there is none, or it is not needed. */
  readonly loadOlder: (() => Promise<void>) | null;
}

function placeOf(eventId: string, pages: readonly EventList[] = []): Place {
  const events = pages.flatMap((page) => page.events);
  const index = events.findIndex((event) => event.eventId === eventId);
  // An occurrence far down, opened by its reference, has no neighbours until the list gets there.
  if (index < 0) return { index: null, newer: undefined, older: undefined };
  return { index, newer: events[index - 1], older: events[index + 1] };
}

/** Whether the reader is still where they were when this was made: on this page, and nowhere else on it. */
function useIsStillHere(): () => boolean {
  const { key } = useLocation();
  const here = useRef<string | null>(null);
  useEffect(() => {
    here.current = key;
    return () => {
      here.current = null;
    };
  }, [key]);
  return () => here.current === key;
}

/** Where an occurrence stands in the list, as far as it is loaded. */
export function useNeighbours(issue: IssueAnswer, eventId: string): Neighbours {
  const navigate = useNavigate();
  const isStillHere = useIsStillHere();
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useIssueEvents(issue);
  const place = placeOf(eventId, data?.pages);

  const loadOlder = async () => {
    // It does not throw: without the page there is nothing older, and the end of the list says why.
    const { data: loaded } = await fetchNextPage();
    const { older } = placeOf(eventId, loaded?.pages);
    if (older !== undefined && isStillHere())
      await navigate(answerPath(issue, older.eventId), { state: KEEP_FOCUS });
  };
  const isLast = place.index !== null && place.older === undefined;
  return { ...place, loadOlder: isLast && hasNextPage && !isFetchingNextPage ? loadOlder : null };
}
