import { lazy, useEffect, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { hasStatus } from '../../api/api-error.ts';
import { useSession } from '../../api/session.ts';
import { saveReturnPath } from './return-path.ts';

/** In a chunk of its own: a signed-in user never sees it. */
const NoSession = lazy(async () => ({ default: (await import('./no-session.tsx')).NoSession }));

interface SessionGateProps {
  /** The requested digest or text, shown on the sign-in card. */
  readonly asked: string | null;
  readonly children: ReactNode;
}

/**
 * Shows its children at once and replaces them when there is no session: data and session load at the same time, and
 * the server checks each request itself.
 */
export function SessionGate({ asked, children }: SessionGateProps) {
  const { pathname, search } = useLocation();
  const { data, error } = useSession();
  const isSignedOut = data?.open === true && !data.signedIn;

  useEffect(() => {
    if (isSignedOut) saveReturnPath(window, `${pathname}${search}`);
  }, [isSignedOut, pathname, search]);

  const refusal = hasStatus(error, 403) ? error : null;
  if (!isSignedOut && refusal === null && data?.open !== false) return children;
  return <NoSession ways={isSignedOut ? data.ways : null} detail={refusal?.problem.detail} asked={asked} />;
}
