import type { ReactNode } from 'react';
import styles from './block.module.css';

interface DisclosureProps {
  readonly title: string;
  /** How much is in it, beside the title. */
  readonly remark?: string;
  readonly children: ReactNode;
}

/** A named part of a page that is folded until it is wanted; on paper it is open. */
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
