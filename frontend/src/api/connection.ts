import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** `unreachable`: the browser has a network, but the last request found no server behind it. */
export type Connection = 'online' | 'offline' | 'unreachable';

/** Kept beside what was read, where every request's end is seen (query-client.ts). */
export const REACHED_KEY = ['reached'] as const;

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
    queryKey: REACHED_KEY,
    queryFn: skipToken,
    initialData: true,
    staleTime: Infinity,
  });
  if (!isOnline) return 'offline';
  return isReached ? 'online' : 'unreachable';
}

/** Asks for everything in sight once more. */
export function useRefetchAll(): () => void {
  const client = useQueryClient();
  return () => void client.refetchQueries({ type: 'active' });
}
