import type { EventDetail, EventList, EventSummary } from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useEvent, useIssueEvents } from '../../api/find.ts';
import { formatCount } from '../../ui/format/count.ts';
import { answerPath } from '../shared/paths.ts';
import { KEEP_FOCUS } from '../shared/use-keep-focus.ts';
import { useEventFilter } from './event-filter.ts';

export interface ShownEvent {
  /** ID of the event to show; null when none is stored or the issue is still loading. */
  readonly id: string | null;
  /** undefined while it loads or after an error, null when no event is stored. */
  readonly event: EventDetail | null | undefined;
  readonly error: Error | null;
  /** Whether the previous event is shown until the next is loaded. */
  readonly isOld: boolean;
  readonly retry: () => void;
}

/** Returns the event to show: the one in the address, or the newest, which comes with the issue. */
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

/** A place among the events that match the filter. */
interface Place {
  /** From 0, newest first; null while the event is not in the loaded part. */
  readonly index: number | null;
  readonly newer: EventSummary | undefined;
  readonly older: EventSummary | undefined;
  /** The newest one. */
  readonly first: EventSummary | undefined;
  readonly loaded: number;
}

interface Neighbours extends Place {
  readonly q: string;
  /** Number of the events in words: with a filter those found so far. */
  readonly total: string;
  /** Loads the next page of the list and navigates to its first event; null when there is none or it is not needed. */
  readonly loadOlder: (() => Promise<void>) | null;
}

function placeOf(eventId: string, pages: readonly EventList[] = []): Place {
  const events = pages.flatMap((page) => page.events);
  const index = events.findIndex((event) => event.eventId === eventId);
  // An event far down, opened by its reference, has no neighbours until the list is loaded that far.
  const place = { first: events[0], loaded: events.length };
  if (index < 0) return { ...place, index: null, newer: undefined, older: undefined };
  return { ...place, index, newer: events[index - 1], older: events[index + 1] };
}

/** Returns a function that tells whether the user is still on the same history entry. */
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

/** Returns position and neighbours of an event in the loaded part of the list, which has only the events that match the filter. */
export function useNeighbours(issue: IssueAnswer, eventId: string): Neighbours {
  const navigate = useNavigate();
  const isStillHere = useIsStillHere();
  const { q } = useEventFilter();
  const list = useIssueEvents(issue, q);
  const { data, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const place = placeOf(eventId, isPlaceholderData ? [] : data?.pages);

  const loadOlder = async () => {
    // fetchNextPage does not reject; the end of the list shows the error.
    const { data: loaded } = await fetchNextPage();
    const { older } = placeOf(eventId, loaded?.pages);
    if (older !== undefined && isStillHere())
      await navigate(answerPath(issue, older.eventId, q), { state: KEEP_FOCUS });
  };
  const isLast = place.index !== null && place.older === undefined;
  const total = q === '' ? formatCount(issue.events) : `${place.loaded}${hasNextPage ? '+' : ''} matching`;
  return { ...place, q, total, loadOlder: isLast && hasNextPage && !isFetchingNextPage ? loadOlder : null };
}
