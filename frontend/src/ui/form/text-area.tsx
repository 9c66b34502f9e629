import { Field } from './field.tsx';
import styles from './form.module.css';

interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly maxLength: number;
}

export function TextArea({ label, value, onChange, maxLength }: TextAreaProps) {
  return (
    <Field label={label}>
      {(id) => (
        <textarea
          className={styles.box}
          id={id}
          value={value}
          rows={3}
          maxLength={maxLength}
          required
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
