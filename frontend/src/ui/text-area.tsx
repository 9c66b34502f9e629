import { useId } from 'react';
import styles from './text-box.module.css';

interface TextAreaProps {
  readonly label: string;
  readonly name: string;
  readonly maxLength: number;
}

export function TextArea({ label, name, maxLength }: TextAreaProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <textarea className={styles.box} id={id} name={name} rows={3} maxLength={maxLength} required />
    </div>
  );
}
