import type { EventDetail } from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { useEvent } from '../../api/look-up.ts';

export interface Occurrence {
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
): Occurrence {
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
