import type { Ref } from 'react';
import styles from './inline.module.css';
import { VisuallyHidden } from './visually-hidden.tsx';

interface TickProps {
  readonly label: string;
  readonly isTicked: boolean;
  readonly onToggle: () => void;
  readonly box?: Ref<HTMLInputElement>;
}

/** A box to tick beside what it means, with a place to press that is larger than it looks. */
export function Tick({ label, isTicked, onToggle, box }: TickProps) {
  return (
    <label className={styles.place}>
      <input className={styles.box} type="checkbox" ref={box} checked={isTicked} onChange={onToggle} />
      <VisuallyHidden>{label}</VisuallyHidden>
    </label>
  );
}
