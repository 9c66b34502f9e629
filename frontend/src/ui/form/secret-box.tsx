import { Icon } from '../icon.tsx';
import { Field } from './field.tsx';
import styles from './form.module.css';

interface SecretBoxProps {
  readonly label: string;
  readonly name: string;
  /** Error of the last attempt, or null. */
  readonly fault: string | null;
}

/** A box for a secret that a password manager may fill in and a user may paste (WCAG 3.3.8). */
export function SecretBox({ label, name, fault }: SecretBoxProps) {
  return (
    <Field label={label}>
      {(id) => (
        <>
          <input
            className={styles.box}
            id={id}
            name={name}
            type="password"
            autoComplete="current-password"
            required
            aria-invalid={fault !== null}
            aria-describedby={`${id}-fault`}
          />
          <p className={styles.fault} id={`${id}-fault`} role="alert">
            {fault !== null && (
              <>
                <Icon name="alert" />
                {fault}
              </>
            )}
          </p>
        </>
      )}
    </Field>
  );
}
