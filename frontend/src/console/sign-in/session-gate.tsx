import { useEffect, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { hasStatus } from '../../api/api-error.ts';
import { useSession } from '../../api/session.ts';
import { ClosedNotice } from './closed-notice.tsx';
import { SignInCard } from './sign-in-card.tsx';
import { saveReturnPath } from './return-path.ts';

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

  if (hasStatus(error, 403)) return <ClosedNotice detail={error.problem.detail ?? null} />;
  if (data?.open === false) return <ClosedNotice detail={null} />;
  if (!isSignedOut) return children;
  return (
    <SignInCard
      ways={data.ways}
      to={`${pathname}${search}`}
      kept={
        asked === null ? undefined : (
          <>
            You will return to <strong>{asked}</strong>
          </>
        )
      }
    />
  );
}
