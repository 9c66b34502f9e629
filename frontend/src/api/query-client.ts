import type { SessionState } from '@errata/backend/contract/access-api.ts';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, hasStatus } from './api-error.ts';
import { REACHED, SESSION } from './keys.ts';
import { signedOut } from './session.ts';

const MAX_RETRIES = 2;

/** Returns whether a retry may succeed: a gateway's status while a server restarts, or a lost connection. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiError ? [502, 503, 504].includes(error.status) : true;
}

/**
 * Creates the query client. `onServerFailure` gets the errors of the server, so that the browser's report links to the
 * server's. `retryDelayMs` is the pause before each retry; without it 1 s, then 2 s.
 */
export function createQueryClient(
  onServerFailure: (error: ApiError) => void,
  retryDelayMs?: number,
): QueryClient {
  const onSuccess = () => {
    client.setQueryData([REACHED], true);
  };
  const onError = (error: Error) => {
    // An answer with an error also proves that the server was reached.
    client.setQueryData([REACHED], error instanceof ApiError);
    // The session ended meanwhile: all views read this one state.
    if (hasStatus(error, 401)) client.setQueryData<SessionState>([SESSION], signedOut);
    if (error instanceof ApiError && error.status >= 500 && !isPassing(error)) onServerFailure(error);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onSuccess, onError }),
    mutationCache: new MutationCache({ onSuccess, onError }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < MAX_RETRIES && isPassing(error),
        ...(retryDelayMs !== undefined && { retryDelay: retryDelayMs }),
        staleTime: 10_000,
        // Without a network a request fails at once, so the page says so instead of waiting. On reconnect it also asks for what
        // is new enough: the answers end the banner "Server unreachable".
        networkMode: 'always',
        refetchOnReconnect: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
