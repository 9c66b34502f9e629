import styles from './block.module.css';

interface SkeletonProps {
  /** Names the content that is loading, for screen readers. */
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
