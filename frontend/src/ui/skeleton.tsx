import styles from './block.module.css';

interface SkeletonProps {
  /** What is awaited, for those who do not see the lines. */
  readonly label: string;
  readonly lines?: number;
}

export function Skeleton({ label, lines = 3 }: SkeletonProps) {
  return (
    <output className={styles.skeleton} aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={styles.line} />
      ))}
    </output>
  );
}
