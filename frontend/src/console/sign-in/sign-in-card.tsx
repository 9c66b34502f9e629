import type { SignInWay } from '@errata/backend/contract/access-api.ts';
import type { ReactNode } from 'react';
import { OrganisationLink } from './organisation-link.tsx';
import { SignInForm } from './sign-in-form.tsx';
import styles from './sign-in.module.css';

interface SignInCardProps {
  readonly ways?: readonly SignInWay[];
  /** Page of the console that was wanted. */
  readonly to: string;
  /** What waits behind the sign-in, for example the pasted digest. */
  readonly kept?: ReactNode;
  /** What happened to a one-time link that could not be exchanged, or at the organisation. */
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
        The token is the server’s <code>ERRATA_CONSOLE_TOKEN</code>, or <code>ERRATA_SUPPORT_TOKEN</code> to
        read only. <code>make start</code> also prints a link that signs in once.
      </p>
    </>
  );
}

export function SignInCard({ ways = ['token'], to, kept, fault = null, onSignedIn }: SignInCardProps) {
  const hasToken = ways.includes('token');
  const hasOrganisation = ways.includes('oidc');
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
      {hasOrganisation && <OrganisationLink to={to} />}
      {hasOrganisation && hasToken && <p className={styles.or}>or by token</p>}
      {hasToken && <TokenWay isOnly={!hasOrganisation} onSignedIn={onSignedIn} />}
    </section>
  );
}
