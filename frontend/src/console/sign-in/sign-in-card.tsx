import { CONSOLE_OIDC_START_PATH, type SignInWay } from '@errata/backend/contract/access-api.ts';
import type { FormEvent, ReactNode } from 'react';
import { atServer } from '../../api/base-path.ts';
import { ApiError } from '../../api/api-error.ts';
import { useSignIn } from '../../api/session.ts';
import { buttonClass } from '../../ui/form/button-class.ts';
import { Button } from '../../ui/form/button.tsx';
import { formText } from '../../ui/form/form-text.ts';
import { SecretBox } from '../../ui/form/secret-box.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './sign-in.module.css';

interface SsoLinkProps {
  /** Page of the console to return to. */
  readonly to: string;
}

/** A plain link: the browser leaves for the identity provider and comes back signed in. */
function SsoLink({ to }: SsoLinkProps) {
  return (
    <a
      className={`${buttonClass('primary')} ${styles.link}`}
      href={atServer(`${CONSOLE_OIDC_START_PATH}?to=${encodeURIComponent(to)}`)}
    >
      <Icon name="person" />
      Sign in with SSO
    </a>
  );
}

function faultOf(error: Error | null): string | null {
  if (error === null) return null;
  if (!(error instanceof ApiError)) return 'Server unreachable. Try again.';
  if (error.status === 401) return 'Wrong token.';
  if (error.status === 429) return 'Too many attempts. Wait a minute and try again.';
  return error.problem.detail ?? error.problem.title;
}

interface SignInFormProps {
  /** Primary when it is the only method. */
  readonly look: 'primary' | 'plain';
  readonly onSignedIn?: () => void;
}

/** The token form. The address does not change, so the requested page is shown after signing in. */
function SignInForm({ look, onSignedIn }: SignInFormProps) {
  const { mutate, isPending, error } = useSignIn();

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate({ token: formText(event.currentTarget, 'token') }, { onSuccess: onSignedIn });
  };

  return (
    <form className={styles.form} onSubmit={submit}>
      {/* Password managers store a secret under a user name; the token has none. */}
      <input type="text" name="username" autoComplete="username" value="errata-console" readOnly hidden />
      <SecretBox label="Console token" name="token" fault={faultOf(error)} />
      <Button look={look} type="submit" disabled={isPending}>
        {isPending ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  );
}

interface SignInCardProps {
  readonly ways?: readonly SignInWay[];
  /** Page of the console to return to. */
  readonly to: string;
  /** The requested page, for example the pasted digest. */
  readonly kept?: ReactNode;
  /** Why a one-time link or the identity provider failed. */
  readonly fault?: string | null;
  readonly onSignedIn?: () => void;
}

interface TokenWayProps {
  readonly isOnly: boolean;
  readonly onSignedIn?: () => void;
}

function TokenWay({ isOnly, onSignedIn }: TokenWayProps) {
  return (
    <>
      <SignInForm look={isOnly ? 'primary' : 'plain'} onSignedIn={onSignedIn} />
      <p className={styles.remark}>
        Use the value of <code>ERRATA_CONSOLE_TOKEN</code>, or of <code>ERRATA_SUPPORT_TOKEN</code> for
        read-only access. <code>make start</code> also prints a one-time sign-in link.
      </p>
    </>
  );
}

export function SignInCard({ ways = ['token'], to, kept, fault = null, onSignedIn }: SignInCardProps) {
  const hasToken = ways.includes('token');
  const hasSso = ways.includes('oidc');
  return (
    <section className={styles.card} aria-labelledby="sign-in-title">
      <h1 className={styles.title} id="sign-in-title">
        Sign in to the console
      </h1>
      {fault !== null && (
        <p className={styles.fault} role="alert">
          {fault}
        </p>
      )}
      {kept !== undefined && <p className={styles.kept}>{kept}</p>}
      {hasSso && <SsoLink to={to} />}
      {hasSso && hasToken && <p className={styles.or}>or use a token</p>}
      {hasToken && <TokenWay isOnly={!hasSso} onSignedIn={onSignedIn} />}
    </section>
  );
}
