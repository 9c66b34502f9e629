import type { ReactNode } from 'react';
import { SignInForm } from './sign-in-form.tsx';
import styles from './sign-in.module.css';

interface SignInCardProps {
  /** What waits behind the sign-in, for example the pasted digest. */
  readonly kept?: ReactNode;
  /** What happened to a one-time link that could not be exchanged. */
  readonly fault?: string | null;
  readonly onSignedIn?: () => void;
}

export function SignInCard({ kept, fault = null, onSignedIn }: SignInCardProps) {
  return (
    <section className={styles.card} aria-labelledby="sign-in-title">
      <h1 className={styles.title} id="sign-in-title">
        Sign in to the console
      </h1>
      {fault !== null && (
        <p className={styles.kept} role="alert">
          {fault}
        </p>
      )}
      {kept !== undefined && <p className={styles.kept}>{kept}</p>}
      <SignInForm onSignedIn={onSignedIn} />
      <p className={styles.remark}>
        The token is the server’s <code>ERRATA_CONSOLE_TOKEN</code>. <code>make start</code> also prints a
        link that signs in once.
      </p>
    </section>
  );
}
