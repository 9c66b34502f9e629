import {
  CONSOLE_DEAD_LETTERS_PATH,
  CONSOLE_DELIVERY_PATH,
  type DeadLetterChoice,
  type DeadLetterDetail,
  type DeadLetterList,
  type DeadLetterResult,
  type DeliveryState,
  type RetryResult,
  type StrandedChoice,
} from '@errata/backend/contract/delivery-api.ts';
import {
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import { DEAD_LETTERS, DELIVERY, EVENT, ISSUE, invalidate } from './keys.ts';
import { pagePath, requestJson } from './request.ts';

/** Short enough to watch an outage end; one answer costs the spool a few reads. */
const REFRESH_MS = 5_000;

/** Polls the ledger while the page is visible. `failure` is the error of the last answer, if it failed. */
export function useDelivery() {
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: [DELIVERY],
    queryFn: ({ signal }) => requestJson<DeliveryState>(CONSOLE_DELIVERY_PATH, { signal }),
    refetchInterval: REFRESH_MS,
  });
  // A query without data drops its error on each refetch, but the page must keep showing it.
  const [lastError, setLastError] = useState(error);
  if (error !== null && error !== lastError) setLastError(error);
  return { data, failure: data === undefined ? lastError : error, dataUpdatedAt, refetch };
}

/** Tries each failing destination at once, then refetches the figures. */
export function useRetry() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => requestJson<RetryResult>(`${CONSOLE_DELIVERY_PATH}/retry`, { method: 'POST' }),
    onSettled: () => invalidate(client, DELIVERY),
  });
}

/** Pages through dead letters, newest first. */
export function useDeadLetters() {
  return useInfiniteQuery({
    queryKey: [DEAD_LETTERS],
    queryFn: ({ pageParam, signal }) =>
      requestJson<DeadLetterList>(pagePath(CONSOLE_DEAD_LETTERS_PATH, pageParam), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}

/** Loads the content of a dead letter. It never changes, but it may be removed. Null loads nothing. */
export function useDeadLetter(id: string | null) {
  return useQuery({
    queryKey: [DEAD_LETTERS, id],
    queryFn: ({ signal }) =>
      requestJson<DeadLetterDetail>(`${CONSOLE_DEAD_LETTERS_PATH}/${encodeURIComponent(id ?? '')}`, {
        signal,
      }),
    enabled: id !== null,
    staleTime: Infinity,
  });
}

/** The server accepts this many IDs in one request. */
const MAX_CHOICE = 1_000;

async function act(action: string, ids: readonly string[]): Promise<DeadLetterResult> {
  let done = 0;
  for (let start = 0; start < ids.length; start += MAX_CHOICE) {
    const body: DeadLetterChoice = { ids: ids.slice(start, start + MAX_CHOICE) };
    const path = `${CONSOLE_DEAD_LETTERS_PATH}/${action}`;
    done += (await requestJson<DeadLetterResult>(path, { method: 'POST', body })).done;
  }
  return { done };
}

/** Discards the envelopes that wait for a DSN outside the settings, then refetches the figures and the status of events. */
export function useDiscardWaiting() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: StrandedChoice) =>
      requestJson<DeadLetterResult>(`${CONSOLE_DELIVERY_PATH}/discard`, { method: 'POST', body }),
    onSettled: () => refetchDelivery(client),
  });
}

function refetchDelivery(client: QueryClient): Promise<unknown> {
  return invalidate(client, DEAD_LETTERS, DELIVERY, EVENT, ISSUE);
}

/**
 * Sends dead letters again, or discards them permanently, then refetches the figures and the delivery status of events.
 */
export function useDeadLetterAction(action: 'redrive' | 'discard') {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ ids }: DeadLetterChoice) => act(action, ids),
    onSettled: () => refetchDelivery(client),
  });
}
