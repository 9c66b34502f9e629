import { CONSOLE_SESSION_PATH, type SessionState, type SignIn } from '@errata/backend/contract/access-api.ts';
import { useMutation, useQuery, useQueryClient, type Query } from '@tanstack/react-query';
import { REACHED, SESSION } from './keys.ts';
import { requestJson } from './request.ts';

/** Returns the state without a session; the sign-in methods stay the same. */
export function signedOut(before: SessionState | undefined): SessionState {
  return { ways: ['token'], ...before, open: true, signedIn: false, who: null, role: null };
}

/** Selects all queries except session and connection: their data needs a session. */
function isRead({ queryKey }: Query): boolean {
  return queryKey[0] !== SESSION && queryKey[0] !== REACHED;
}

/** @param pollMs time after which it is asked for again, while the page is visible. */
export function useSession(pollMs?: number) {
  return useQuery({
    queryKey: [SESSION],
    queryFn: ({ signal }) => requestJson<SessionState>(CONSOLE_SESSION_PATH, { signal }),
    staleTime: 60_000,
    refetchInterval: pollMs ?? false,
  });
}

/** Returns whether the user may change data; the server checks this itself. */
export function useIsOperator(): boolean {
  return useSession().data?.role === 'operator';
}

/** Signs in, then resets all queries that were refused. */
export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    // An earlier request that is still open would answer "signed out" afterwards.
    onMutate: () => client.cancelQueries({ queryKey: [SESSION] }),
    mutationFn: (body: SignIn) => requestJson<unknown>(CONSOLE_SESSION_PATH, { method: 'POST', body }),
    onSuccess: async () => {
      client.setQueryData<SessionState>([SESSION], (before) => ({ ...signedOut(before), signedIn: true }));
      // Name and role come with the session.
      void client.invalidateQueries({ queryKey: [SESSION] });
      await client.resetQueries({ predicate: isRead });
    },
  });
}

/** Signs out and removes all loaded data. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => requestJson<unknown>(CONSOLE_SESSION_PATH, { method: 'DELETE' }),
    onSuccess: () => {
      client.setQueryData<SessionState>([SESSION], signedOut);
      client.removeQueries({ predicate: isRead });
    },
  });
}
