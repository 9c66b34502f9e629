import { CONSOLE_LIVE_PATH, type LiveEvents } from '@errata/backend/contract/live-api.ts';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { ApiError } from './api-error.ts';
import { LIVE_EVENTS } from './keys.ts';
import { requestJson } from './request.ts';

/** An error appears this soon. */
export const POLL_MS = 1_000;
/** Pause after a failure, so that open pages do not add to the load of a server that starts. */
export const RETRY_MS = 3_000;

/** `reconnecting`: the server was not reached. `refused`: it, or a proxy in front of it, answered with an error. */
export type LiveState = 'connecting' | 'open' | 'reconnecting' | 'refused';

function stateOf(isFirst: boolean, error: Error | null): LiveState {
  if (isFirst) return 'connecting';
  if (error === null) return 'open';
  return error instanceof ApiError ? 'refused' : 'reconnecting';
}

/** Polls for the events after a cursor while the page is visible. The cursor of the last answer is for the next poll. */
export function useLiveEvents(after: string | null): {
  readonly answer: LiveEvents | null;
  readonly state: LiveState;
} {
  // Two pages must not share answers: each has read up to its own cursor.
  const page = useId();
  const { data, error, isFetchedAfterMount } = useQuery({
    queryKey: [LIVE_EVENTS, page],
    queryFn: ({ signal }) => {
      const query = after === null ? '' : `?after=${encodeURIComponent(after)}`;
      return requestJson<LiveEvents>(CONSOLE_LIVE_PATH + query, { signal });
    },
    // With data, the error of the last poll stays during the next one.
    initialData: null as LiveEvents | null,
    refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_MS : POLL_MS),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  return { answer: data, state: stateOf(!isFetchedAfterMount, error) };
}
