import type { EventDetail, EventSummary } from '@errata/backend/contract/event-api.ts';
import type { IssueFacets } from '@errata/backend/contract/facets-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { useEffect } from 'react';
import { useFacets } from '../../api/facets.ts';
import { useEvent, useIssueEvents } from '../../api/find.ts';
import { formatCount } from '../../ui/format/count.ts';
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

/** The place of an event among those that match the filter, newest first. */
interface Place {
  readonly newer: EventSummary | undefined;
  readonly older: EventSummary | undefined;
  /** The newest one. */
  readonly first: EventSummary | undefined;
  readonly q: string;
  /** The place in words, or why it is not known; null until the list is loaded. */
  readonly words: string | null;
  /** Whether the event is in the loaded part of the list. */
  readonly isLoaded: boolean;
}

/** Returns the number of events that match, as far as it is known. */
function matching(loaded: number, hasNextPage: boolean, counted: IssueFacets | undefined): string {
  const isAll = !hasNextPage || counted?.searched.isAll === true;
  return `${formatCount(Math.max(loaded, counted?.of ?? 0))}${isAll ? '' : '+'} matching`;
}

/**
 * Returns the place of an event in the loaded part of the list, which goes on where the event is the last of it.
 *
 * @param time of the event; undefined while it loads.
 */
export function usePlace(issue: IssueAnswer, eventId: string, time: string | undefined): Place {
  const { q } = useEventFilter();
  const { data, error, isPlaceholderData, hasNextPage, isFetching, fetchNextPage } = useIssueEvents(issue, q);
  const facets = useFacets(issue, q);
  const pages = isPlaceholderData ? [] : (data?.pages ?? []);
  const events = pages.flatMap((page) => page.events);
  const at = events.findIndex((event) => event.eventId === eventId);
  const [isLoaded, loaded] = [at >= 0, events.length];
  // A search may find nothing in many pages: the user decides how far it goes.
  const wantsMore = isLoaded && at === loaded - 1 && hasNextPage && pages.at(-1)?.events.length !== 0;
  useEffect(() => {
    if (wantsMore && !isFetching && error === null) void fetchNextPage();
  }, [wantsMore, isFetching, error, fetchNextPage]);

  const counted = facets.isPlaceholderData ? undefined : facets.data;
  const total = q === '' ? formatCount(issue.events) : matching(loaded, hasNextPage, counted);
  // An event as old as the last match may be behind it.
  const isPassed = !hasNextPage || (time !== undefined && time > (events.at(-1)?.time ?? time));
  const among = `${hasNextPage ? 'newest ' : ''}${formatCount(loaded)}${q === '' ? '' : ' matching'}`;
  const astray = q !== '' && isPassed ? 'does not match the filter' : `not among the ${among}`;
  return {
    newer: events[at - 1],
    older: isLoaded ? events[at + 1] : undefined,
    first: events[0],
    q,
    words: pages.length === 0 ? null : isLoaded ? `${formatCount(at + 1)} of ${total}` : astray,
    isLoaded,
  };
}
