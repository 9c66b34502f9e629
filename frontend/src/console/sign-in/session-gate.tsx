import { useEffect, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { hasStatus } from '../../api/api-error.ts';
import { useSession } from '../../api/session.ts';
import { ClosedNotice } from './closed-notice.tsx';
import { SignInCard } from './sign-in-card.tsx';
import { saveReturnPath } from './return-path.ts';

interface SessionGateProps {
  /** What the person asked for, shown on the sign-in card: it is not lost. */
  readonly asked: string | null;
  readonly children: ReactNode;
}

/**
 * Shows what is behind it at once and takes it back when the session says no: the data is asked for at the same
 * time as the session, and the server refuses it by itself.
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
