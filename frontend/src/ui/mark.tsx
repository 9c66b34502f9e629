import styles from './inline.module.css';

/** The name with its sign: a proof-reader's caret, "something is missing here". */
export function Mark() {
  return (
    <span className={styles.mark}>
      <svg className={styles.sign} viewBox="0 0 16 16" aria-hidden="true">
        <rect className={styles.ground} width="16" height="16" rx="3.5" />
        <path className={styles.line} d="M3 6h4.1M8.9 6H13" />
        <path className={styles.caret} d="M4.6 12.4 8 8.2l3.4 4.2" />
      </svg>
      Errata
    </span>
  );
}
