import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { REACHED } from './keys.ts';

/** `unreachable`: the browser has a network, but the last request did not reach the server. */
export type Connection = 'online' | 'offline' | 'unreachable';

function subscribe(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

export function useConnection(): Connection {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  const { data: isReached } = useQuery({
    // query-client.ts sets it when a request ends.
    queryKey: [REACHED],
    queryFn: skipToken,
    initialData: true,
    staleTime: Infinity,
  });
  if (!isOnline) return 'offline';
  return isReached ? 'online' : 'unreachable';
}

/** Returns a function that refetches all queries of the page. */
export function useRefetchAll(): () => void {
  const client = useQueryClient();
  return () => void client.refetchQueries({ type: 'active' });
}
