import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { ApiError } from '../../api/api-error.ts';
import { useSession, useSignIn } from '../../api/session.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ClosedNotice } from './closed-notice.tsx';
import { ConsoleFrame } from '../shell/console-frame.tsx';
import { hideOneTimeCode, takeOneTimeCode } from './one-time-code.ts';
import { FIND_PATH } from '../shared/paths.ts';
import { SignInCard } from './sign-in-card.tsx';
import { signInProblem } from './sign-in-problem.ts';
import { peekPlace, takePlace } from './return-path.ts';

function faultOf(error: Error | null): string | null {
  if (error === null) return null;
  if (!(error instanceof ApiError)) return 'The server could not be reached. Open the link again.';
  if (error.status === 401) {
    return 'This link has been used, or it is older than 10 minutes. Restart the server for a new one, or sign in with the token.';
  }
  return error.problem.detail ?? error.problem.title;
}

/** Sign-in by token, by the organisation, or by the one-time link: its code is exchanged once, by POST, and never stands in an address. */
export function SignInPage() {
  const navigate = useNavigate();
  const [parameters] = useSearchParams();
  const session = useSession();
  const { mutate, isPending, error } = useSignIn();
  const isSignedIn = session.data?.signedIn === true;

  useEffect(() => {
    const exchange = () => {
      const code = takeOneTimeCode();
      if (code !== null) mutate({ code });
    };
    // The link pasted into this very page changes only the fragment.
    const onFragment = () => {
      hideOneTimeCode(window);
      exchange();
    };
    exchange();
    window.addEventListener('hashchange', onFragment);
    return () => window.removeEventListener('hashchange', onFragment);
  }, [mutate]);

  useEffect(() => {
    if (isSignedIn) void navigate(takePlace(window) ?? FIND_PATH, { replace: true });
  }, [isSignedIn, navigate]);

  const isClosed = session.data?.open === false;
  return (
    <ConsoleFrame title="Sign in">
      {isClosed && <ClosedNotice detail={null} />}
      {!isClosed && (isPending || isSignedIn) && <Skeleton label="Signing in" />}
      {!isClosed && !isPending && !isSignedIn && (
        <SignInCard
          ways={session.data?.ways}
          to={peekPlace(window) ?? FIND_PATH}
          fault={faultOf(error) ?? signInProblem(parameters.get('problem'))}
        />
      )}
    </ConsoleFrame>
  );
}
