import type { SessionState } from '@errata/backend/contract/access-api.ts';
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, hasStatus } from './api-error.ts';
import { SESSION_KEY } from './session.ts';

const MAX_RETRIES = 2;

/** The gateway's answers while a server restarts, and a cut connection, mend themselves; the rest does not. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiError ? [502, 503, 504].includes(error.status) : true;
}

/** `onServerFailure` is told of failures that are the server's fault, so that both halves of them meet. */
export function createQueryClient(onServerFailure: (error: ApiError) => void): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError(error) {
        // The session ended meanwhile: every view learns it from the one state.
        if (hasStatus(error, 401)) {
          client.setQueryData<SessionState>(SESSION_KEY, { open: true, signedIn: false });
        }
        if (error instanceof ApiError && error.status >= 500) onServerFailure(error);
      },
    }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < MAX_RETRIES && isPassing(error),
        staleTime: 10_000,
      },
    },
  });
  return client;
}
