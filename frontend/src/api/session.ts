import { CONSOLE_SESSION_PATH, type SessionState, type SignIn } from '@errata/backend/contract/access-api.ts';
import { useMutation, useQuery, useQueryClient, type Query } from '@tanstack/react-query';
import { REACHED_KEY } from './connection.ts';
import { requestJson } from './request.ts';

export const SESSION_KEY = ['session'] as const;

/** Nobody is signed in; the ways to sign in stay what they were. */
export function signedOut(before: SessionState | undefined): SessionState {
  return { ways: ['token'], ...before, open: true, signedIn: false, who: null, role: null };
}

/** Everything but the session and the connection: what only somebody signed in may see. */
function isLookUp({ queryKey }: Query): boolean {
  return queryKey[0] !== SESSION_KEY[0] && queryKey[0] !== REACHED_KEY[0];
}

export function useSession() {
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: ({ signal }) => requestJson<SessionState>(CONSOLE_SESSION_PATH, { signal }),
    staleTime: 60_000,
  });
}

/** Whether the signed-in person may change things; the server refuses everybody else by itself. */
export function useIsOperator(): boolean {
  return useSession().data?.role === 'operator';
}

/** Signing in makes everything that was refused worth asking again. */
export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    // An answer still on its way from before would say "signed out" afterwards.
    onMutate: () => client.cancelQueries({ queryKey: SESSION_KEY }),
    mutationFn: (body: SignIn) => requestJson<unknown>(CONSOLE_SESSION_PATH, { method: 'POST', body }),
    onSuccess: async () => {
      client.setQueryData<SessionState>(SESSION_KEY, (before) => ({ ...signedOut(before), signedIn: true }));
      // Who it is, and what they may do, the session itself tells.
      void client.invalidateQueries({ queryKey: SESSION_KEY });
      await client.resetQueries({ predicate: isLookUp });
    },
  });
}

/** Signing out forgets everything that was read. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => requestJson<unknown>(CONSOLE_SESSION_PATH, { method: 'DELETE' }),
    onSuccess: () => {
      client.setQueryData<SessionState>(SESSION_KEY, signedOut);
      client.removeQueries({ predicate: isLookUp });
    },
  });
}
