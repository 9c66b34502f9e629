import type { SignInWay } from '@errata/backend/contract/access-api.ts';
import { useLocation } from 'react-router';
import { ClosedNotice } from './closed-notice.tsx';
import { SignInCard } from './sign-in-card.tsx';

interface NoSessionProps {
  /** null where the console is closed. */
  readonly ways: readonly SignInWay[] | null;
  /** The server's own sentence about a closed console, if it sent one. */
  readonly detail: string | undefined;
  /** The requested digest or text. */
  readonly asked: string | null;
}

/**
 * Stands in for a page without a session: signs in, or says that the console is closed. It does not read the session
 * itself: that would ask for it again, and the page would be back while the answer is open.
 */
export function NoSession({ ways, detail, asked }: NoSessionProps) {
  const { pathname, search } = useLocation();
  if (ways === null) return <ClosedNotice detail={detail ?? null} />;
  return (
    <SignInCard
      ways={ways}
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
