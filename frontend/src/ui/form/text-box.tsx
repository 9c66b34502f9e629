import type { ReactNode } from 'react';
import { Field } from './field.tsx';
import styles from './form.module.css';

interface TextBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'date';
  readonly required?: boolean;
  /** Under the box: what is expected. */
  readonly hint?: ReactNode;
}

/** A labelled line of text. What is typed here names somebody or something: nothing is suggested or corrected. */
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
