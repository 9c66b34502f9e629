import { Field } from './field.tsx';
import styles from './text-box.module.css';

interface TextAreaProps {
  readonly label: string;
  readonly name: string;
  readonly maxLength: number;
}

export function TextArea({ label, name, maxLength }: TextAreaProps) {
  return (
    <Field label={label}>
      {(id) => (
        <textarea className={styles.box} id={id} name={name} rows={3} maxLength={maxLength} required />
      )}
    </Field>
  );
}
