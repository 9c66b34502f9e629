import type { SignInProblem } from '@errata/backend/contract/access-api.ts';
import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { ApiError } from '../../api/api-error.ts';
import { useSession, useSignIn } from '../../api/session.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { FIND_PATH } from '../shared/paths.ts';
import { usePageTitle } from '../shell/console-frame.tsx';
import { ClosedNotice } from './closed-notice.tsx';
import { hideOneTimeCode, takeOneTimeCode } from './one-time-code.ts';
import { peekReturnPath, takeReturnPath } from './return-path.ts';
import { SignInCard } from './sign-in-card.tsx';

const LABELS: Readonly<Record<SignInProblem, string>> = {
  denied: 'The identity provider denied access, or you cancelled. Try again.',
  no_access:
    'You do not have access to this console. Ask an operator to add you to OIDC_SUPPORT or OIDC_OPERATORS.',
  unverified:
    'The identity provider does not mark your email address as verified. Verify it there. For a provider that never marks addresses, such as Entra ID, an operator sets OIDC_ACCEPT_UNVERIFIED_EMAIL=on, or lists you as sub:<id> or by a group.',
  rejected:
    'The response of the identity provider failed a check. The server log has the reason (oidc_failed).',
  unreachable: 'The identity provider is unreachable. Try again in a minute.',
  expired: 'Sign-in timed out (10 minutes) or started in another tab. Try again.',
  plain_http:
    'Sign-in requires HTTPS, because plain HTTP exposes the session. Behind a TLS proxy, set ERRATA_TRUST_PROXY. For a container published on loopback, set ERRATA_PUBLISHED_ON_LOOPBACK=on.',
  too_many: 'Too many attempts. Wait a minute and try again.',
};

function isKnown(code: string): code is SignInProblem {
  return Object.hasOwn(LABELS, code);
}

/** Returns the text for `?problem=`, or null without it. The code itself is never shown: any link can set it. */
function signInProblem(code: string | null): string | null {
  if (code === null) return null;
  return isKnown(code) ? LABELS[code] : 'Sign-in failed. Try again.';
}

function faultOf(error: Error | null): string | null {
  if (error === null) return null;
  if (!(error instanceof ApiError)) return 'Server unreachable. Open the link again.';
  if (error.status === 401) {
    return 'This link was used or has expired (10 minutes). Restart the server to get a new link, or sign in with a token.';
  }
  return error.problem.detail ?? error.problem.title;
}

/**
 * Signs in by token, SSO or one-time link. The code of a link is exchanged once, by POST, and never appears in an
 * address.
 */
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
    // A link pasted into this open page changes only the fragment.
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

  usePageTitle('Sign in');
  if (session.data?.open === false) return <ClosedNotice detail={null} />;
  if (isPending || isSignedIn) return <Skeleton label="Signing in" />;
  return (
    <SignInCard
      ways={session.data?.ways}
      to={peekReturnPath(window) ?? FIND_PATH}
      fault={faultOf(error) ?? signInProblem(parameters.get('problem'))}
    />
  );
}
