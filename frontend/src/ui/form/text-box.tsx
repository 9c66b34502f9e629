import type { ReactNode } from 'react';
import { Field } from './field.tsx';
import styles from './form.module.css';

interface TextBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'date';
  readonly required?: boolean;
  /** Hint below the box. */
  readonly hint?: ReactNode;
}

/** A labelled line of text for names and IDs: without suggestions and corrections. */
export function TextBox({ label, value, onChange, type = 'text', required = false, hint }: TextBoxProps) {
  return (
    <Field label={label}>
      {(id) => (
        <>
          <input
            className={styles.box}
            id={id}
            type={type}
            value={value}
            required={required}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-describedby={hint === undefined ? undefined : `${id}-hint`}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          {hint !== undefined && (
            <p className={styles.hint} id={`${id}-hint`}>
              {hint}
            </p>
          )}
        </>
      )}
    </Field>
  );
}
