import type { SourceLine } from '@errata/backend/contract/event-api.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import styles from './source-excerpt.module.css';

interface SourceExcerptProps {
  readonly lines: readonly SourceLine[];
  /** Number of the line that failed. */
  readonly failing: number | null;
}

/** The lines around the failing one, wrapped rather than scrolled: every word is in sight at 320 px too. */
export function SourceExcerpt({ lines, failing }: SourceExcerptProps) {
  return (
    <div className={styles.excerpt}>
      {lines.map(({ number, text }) => (
        <div key={number} className={number === failing ? `${styles.line} ${styles.failing}` : styles.line}>
          <span className={styles.number}>
            {number === failing && <VisuallyHidden>failing line </VisuallyHidden>}
            {number}
          </span>
          <code className={styles.text}>{text}</code>
        </div>
      ))}
    </div>
  );
}
