import { Field } from './field.tsx';
import styles from './form.module.css';

interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly maxLength: number;
  readonly isRequired: boolean;
}

export function TextArea({ label, value, onChange, maxLength, isRequired }: TextAreaProps) {
  return (
    <Field label={label}>
      {(id) => (
        <textarea
          className={styles.box}
          id={id}
          value={value}
          rows={3}
          maxLength={maxLength}
          required={isRequired}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
