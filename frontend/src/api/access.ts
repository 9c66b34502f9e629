import {
  type AuditList,
  CONSOLE_AUDIT_PATH,
  CONSOLE_SESSIONS_PATH,
  type SessionList,
} from '@errata/backend/contract/access-api.ts';
import {
  CONSOLE_ERASURE_PATH,
  type Erased,
  type Erasure,
  type ErasureMatches,
} from '@errata/backend/contract/erasure-api.ts';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { AUDIT, ERASURE_MATCHES, invalidate, SESSION, SESSIONS } from './keys.ts';
import { pagePath, requestJson } from './request.ts';

/** Lists sessions: all for an operator, the own ones for others. */
export function useSessions() {
  return useQuery({
    queryKey: [SESSIONS],
    queryFn: ({ signal }) => requestJson<SessionList>(CONSOLE_SESSIONS_PATH, { signal }),
  });
}

/** Revokes a session, possibly the current one. */
export function useRevoke() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      requestJson<unknown>(`${CONSOLE_SESSIONS_PATH}/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    onSettled: () => invalidate(client, SESSIONS, SESSION, AUDIT),
  });
}

/** Pages through the audit log, newest first. */
export function useAudit() {
  return useInfiniteQuery({
    queryKey: [AUDIT],
    queryFn: ({ pageParam, signal }) =>
      requestJson<AuditList>(pagePath(CONSOLE_AUDIT_PATH, pageParam), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}

/** Counts by project what an erasure would delete. It may read the whole store: once for each opened dialog. */
export function useErasureMatches(erasure: Erasure) {
  return useQuery({
    queryKey: [ERASURE_MATCHES, erasure],
    queryFn: ({ signal }) =>
      requestJson<ErasureMatches>(`${CONSOLE_ERASURE_PATH}/matches`, {
        method: 'POST',
        body: erasure,
        signal,
      }),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** Erases data permanently, then refetches everything: any loaded data may be erased. */
export function useErase() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Erasure) => requestJson<Erased>(CONSOLE_ERASURE_PATH, { method: 'POST', body }),
    onSuccess: () =>
      client.invalidateQueries({ predicate: ({ queryKey: [name] }) => name !== ERASURE_MATCHES }),
  });
}
