import { type ReactNode, useId } from 'react';
import styles from './block.module.css';

interface SectionProps {
  readonly title: string;
  /** Short text beside the title. */
  readonly remark?: string;
  readonly children: ReactNode;
}

/** A titled part of a page. */
export function Section({ title, remark, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 className={styles.title} id={id}>
          {title}
        </h2>
        {remark !== undefined && <p className={styles.remark}>{remark}</p>}
      </div>
      {children}
    </section>
  );
}
