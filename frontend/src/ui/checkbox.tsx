import type { Ref } from 'react';
import styles from './inline.module.css';
import { VisuallyHidden } from './visually-hidden.tsx';

interface CheckboxProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onToggle: () => void;
  readonly box?: Ref<HTMLInputElement>;
}

/** A checkbox with a hidden label and a target larger than its box. */
export function Checkbox({ label, isChecked, onToggle, box }: CheckboxProps) {
  return (
    <label className={styles.place}>
      <input className={styles.box} type="checkbox" ref={box} checked={isChecked} onChange={onToggle} />
      <VisuallyHidden>{label}</VisuallyHidden>
    </label>
  );
}
