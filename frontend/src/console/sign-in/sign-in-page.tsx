import type { SignInProblem } from '@errata/backend/contract/access-api.ts';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { ApiError } from '../../api/api-error.ts';
import { useSession, useSignIn } from '../../api/session.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { FIND_PATH } from '../shared/paths.ts';
import { ConsoleFrame } from '../shell/console-frame.tsx';
import { ClosedNotice } from './closed-notice.tsx';
import { hideOneTimeCode, takeOneTimeCode } from './one-time-code.ts';
import { peekReturnPath, takeReturnPath } from './return-path.ts';
import { SignInCard } from './sign-in-card.tsx';

const LABELS: Readonly<Record<SignInProblem, string>> = {
  refused: 'Your organisation did not let you in, or you cancelled. Try again.',
  no_access:
    'Your organisation knows you, but you are on no list of this console. Ask an operator to add you (OIDC_SUPPORT or OIDC_OPERATORS).',
  unreachable: 'Your organisation’s sign-in cannot be reached now. Try again in a minute.',
  expired: 'The sign-in took longer than ten minutes, or was begun in another tab. Try again.',
  plain_http:
    'Sign-in needs https: over plain http anybody on the way could read the session. Behind a proxy that ends TLS, set ERRATA_TRUST_PROXY; for a container whose port is published on loopback, ERRATA_PUBLISHED_ON_LOOPBACK=on.',
  too_many: 'Too many tries from this address. Wait a minute, then try again.',
};

function isKnown(code: string): code is SignInProblem {
  return Object.hasOwn(LABELS, code);
}

/** `?problem=` of the sign-in page in words; null when there is none. Never the code itself: anybody can write one. */
function signInProblem(code: string | null): string | null {
  if (code === null) return null;
  return isKnown(code) ? LABELS[code] : 'The sign-in did not work. Try again.';
}

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
    if (isSignedIn) void navigate(takeReturnPath(window) ?? FIND_PATH, { replace: true });
  }, [isSignedIn, navigate]);

  const isClosed = session.data?.open === false;
  return (
    <ConsoleFrame title="Sign in">
      {isClosed && <ClosedNotice detail={null} />}
      {!isClosed && (isPending || isSignedIn) && <Skeleton label="Signing in" />}
      {!isClosed && !isPending && !isSignedIn && (
        <SignInCard
          ways={session.data?.ways}
          to={peekReturnPath(window) ?? FIND_PATH}
          fault={faultOf(error) ?? signInProblem(parameters.get('problem'))}
        />
      )}
    </ConsoleFrame>
  );
}
