import type { SessionState } from '@errata/backend/contract/access-api.ts';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, hasStatus } from './api-error.ts';
import { REACHED_KEY } from './connection.ts';
import { SESSION_KEY, signedOut } from './session.ts';

const MAX_RETRIES = 2;

/** The gateway's answers while a server restarts, and a cut connection, mend themselves; the rest does not. No code is at fault. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiError ? [502, 503, 504].includes(error.status) : true;
}

/** `onServerFailure` is told of failures that are the server's fault, so that both halves of them meet. */
export function createQueryClient(onServerFailure: (error: ApiError) => void): QueryClient {
  const onSuccess = () => {
    client.setQueryData(REACHED_KEY, true);
  };
  const onError = (error: Error) => {
    // A refusal was said by somebody: only what never got there tells of the connection.
    client.setQueryData(REACHED_KEY, error instanceof ApiError);
    // The session ended meanwhile: every view learns it from the one state.
    if (hasStatus(error, 401)) client.setQueryData<SessionState>(SESSION_KEY, signedOut);
    if (error instanceof ApiError && error.status >= 500 && !isPassing(error)) onServerFailure(error);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onSuccess, onError }),
    mutationCache: new MutationCache({ onSuccess, onError }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < MAX_RETRIES && isPassing(error),
        staleTime: 10_000,
        // Without a network a request fails at once, and the page says so instead of waiting; it asks again by itself.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
