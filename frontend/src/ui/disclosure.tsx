import type { ReactNode } from 'react';
import styles from './block.module.css';

interface DisclosureProps {
  readonly title: string;
  /** Short text beside the title, such as a number. */
  readonly remark?: string;
  readonly children: ReactNode;
}

/** A titled part of a page, folded on screen and open in print. */
export function Disclosure({ title, remark, children }: DisclosureProps) {
  return (
    <details className={styles.part}>
      <summary className={styles.summary}>
        <h2 className={styles.disclosureTitle}>{title}</h2>
        {remark !== undefined && <span className={styles.disclosureRemark}>{remark}</span>}
      </summary>
      <div className={styles.body}>{children}</div>
    </details>
  );
}
