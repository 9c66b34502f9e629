import type { ReactNode } from 'react';
import styles from './inline.module.css';

export function VisuallyHidden({ children }: { readonly children: ReactNode }) {
  return <span className={styles.hidden}>{children}</span>;
}
