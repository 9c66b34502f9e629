import { DEMO_SERVER_ERROR_PATH } from '@errata/backend/contract/routes.ts';
import { useQuery } from '@tanstack/react-query';
import { DEMO } from './keys.ts';
import { requestJson } from './request.ts';

/** Requests the demo's server error as a client requests data, and lets the error reach the error boundary. */
export function useFailingRequest(id: string) {
  return useQuery({
    queryKey: [DEMO, id],
    queryFn: ({ signal }) =>
      requestJson<unknown>(`${DEMO_SERVER_ERROR_PATH}?id=${encodeURIComponent(id)}`, { signal }),
    retry: false,
    throwOnError: true,
  });
}
