import { formatCount } from '../format/count.ts';
import styles from './charts.module.css';

interface SparklineProps {
  /** One number for each hour, oldest first. */
  readonly counts: readonly number[];
  /** Count at full height: the maximum of the whole list, so that its rows compare. */
  readonly scale: number;
}

/** Returns the largest hourly count of a list, which is the scale of its sparklines. */
export function sparklineScale(rows: readonly { readonly hours: readonly number[] }[]): number {
  return Math.max(0, ...rows.flatMap(({ hours }) => hours));
}

const STEP = 4;
const WIDTH = 3;
const HEIGHT = 20;
const MIN_HEIGHT = 2;

/** Shows the shape of a day in a row of a list; the number is its text. */
export function Sparkline({ counts, scale }: SparklineProps) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return (
    <svg
      className={styles.line}
      viewBox={`0 0 ${Math.max(1, counts.length) * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${formatCount(total)} in the last ${counts.length} hours`}
    >
      {counts.map((count, index) => {
        const height = count === 0 ? 1 : Math.max(MIN_HEIGHT, (count / scale) * HEIGHT);
        return (
          <rect
            key={index}
            className={count === 0 ? styles.none : styles.sparkBar}
            x={index * STEP}
            y={HEIGHT - height}
            width={WIDTH}
            height={height}
          />
        );
      })}
    </svg>
  );
}
