import { type ReactNode, useId } from 'react';
import styles from './form.module.css';

interface FieldProps {
  readonly label: string;
  /** Renders the box with the ID that the label refers to. */
  readonly children: (id: string) => ReactNode;
}

/** A label above its box. */
export function Field({ label, children }: FieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children(id)}
    </div>
  );
}
