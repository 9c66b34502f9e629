import styles from './charts.module.css';

interface HistogramBar {
  readonly label: string;
  /** Null draws a gap. */
  readonly count: number | null;
}

interface HistogramProps {
  readonly bars: readonly HistogramBar[];
  /** Summary for screen readers. */
  readonly summary: string;
  /** Span and maximum above the bars: "Last 24 hours, max 12 per hour". */
  readonly caption: string;
  /** Labels of both ends. */
  readonly from: string;
  readonly to: string;
}

const STEP = 10;
const WIDTH = 8;
const HEIGHT = 48;
/** Smallest bar: one event must be visible beside a thousand. */
const MIN_HEIGHT = 3;
const BASE_HEIGHT = 1;

export function Histogram({ bars, summary, caption, from, to }: HistogramProps) {
  const most = Math.max(1, ...bars.map(({ count }) => count ?? 0));
  return (
    <figure className={styles.histogram}>
      <p className={styles.scale} aria-hidden="true">
        {caption}
      </p>
      <svg
        className={styles.bars}
        viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary}
      >
        {bars.map(({ label, count }, index) => {
          if (count === null) return null;
          const height = count === 0 ? BASE_HEIGHT : Math.max(MIN_HEIGHT, (count / most) * HEIGHT);
          return (
            <rect
              key={label}
              className={count === 0 ? styles.none : styles.bar}
              x={index * STEP + (STEP - WIDTH) / 2}
              y={HEIGHT - height}
              width={WIDTH}
              height={height}
            >
              <title>{`${label}: ${count}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption className={styles.scale} aria-hidden="true">
        <span>{from}</span>
        <span>{to}</span>
      </figcaption>
    </figure>
  );
}
