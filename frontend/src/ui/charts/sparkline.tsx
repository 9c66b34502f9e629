import { formatCount } from '../format/count.ts';
import styles from './charts.module.css';

const STEP = 4;
const WIDTH = 3;
const HEIGHT = 20;
const MIN_HEIGHT = 2;

/** Shows the shape of a day in a row of a list, with its own scale: the largest count stands beside it. @param counts for each hour, oldest first. */
export function Sparkline({ counts }: { readonly counts: readonly number[] }) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const most = Math.max(0, ...counts);
  return (
    <span className={styles.spark}>
      <svg
        className={styles.line}
        viewBox={`0 0 ${Math.max(1, counts.length) * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${formatCount(total)} in the last ${counts.length} hours, max`}
      >
        {counts.map((count, index) => {
          const height = count === 0 ? 1 : Math.max(MIN_HEIGHT, (count / most) * HEIGHT);
          return (
            <rect
              key={index}
              className={count === 0 ? styles.none : styles.bar}
              x={index * STEP}
              y={HEIGHT - height}
              width={WIDTH}
              height={height}
            />
          );
        })}
      </svg>
      <span className={styles.most}>{formatCount(most)}/h</span>
    </span>
  );
}
