import type { FormEvent } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { useSignIn } from '../../api/session.ts';
import { Button } from '../../ui/form/button.tsx';
import { formText } from '../../ui/form/form-text.ts';
import { SecretBox } from '../../ui/form/secret-box.tsx';
import styles from './sign-in.module.css';

function faultOf(error: Error | null): string | null {
  if (error === null) return null;
  if (!(error instanceof ApiError)) return 'The server could not be reached. Try again.';
  if (error.status === 401) return 'This is not the console’s token.';
  if (error.status === 429) return 'Too many tries from this address. Wait a minute, then try again.';
  return error.problem.detail ?? error.problem.title;
}

interface SignInFormProps {
  /** The one way to sign in, or the second one. */
  readonly look: 'primary' | 'plain';
  readonly onSignedIn?: () => void;
}

/** The token form. What was asked for stays in the address, so that it is there after the sign-in. */
export function SignInForm({ look, onSignedIn }: SignInFormProps) {
  const { mutate, isPending, error } = useSignIn();

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate({ token: formText(event.currentTarget, 'token') }, { onSuccess: onSignedIn });
  };

  return (
    <form className={styles.form} onSubmit={submit}>
      {/* Password managers file a secret under a name; there is only one user here. */}
      <input type="text" name="username" autoComplete="username" value="errata-console" readOnly hidden />
      <SecretBox label="Console token" name="token" fault={faultOf(error)} />
      <Button look={look} type="submit" disabled={isPending}>
        {isPending ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  );
}
