import styles from './charts.module.css';

export interface Share {
  readonly name: string;
  readonly count: number;
  readonly tone: 'accent' | 'good' | 'warn' | 'bad' | 'quiet';
}

interface SharesProps {
  readonly shares: readonly Share[];
  /** Summary for screen readers. */
  readonly summary: string;
  /** The total; without it the sum of the shares. */
  readonly of?: number;
}

const WIDTH = 1_000;
const HEIGHT = 10;
/** One of a million must be visible. */
const MIN_WIDTH = 6;
const GAP = 3;

interface Segment extends Share {
  readonly x: number;
  readonly width: number;
}

/** Places the segments side by side, each at least MIN_WIDTH wide. */
function segmentsOf({ shares, of }: Pick<SharesProps, 'shares' | 'of'>): readonly Segment[] {
  const seen = shares.filter(({ count }) => count > 0);
  const total = of ?? seen.reduce((sum, { count }) => sum + count, 0);
  const room = WIDTH - GAP * (seen.length - 1) - MIN_WIDTH * seen.length;
  let x = 0;
  return seen.map((share) => {
    const segment = { ...share, x, width: MIN_WIDTH + (share.count / total) * room };
    x += segment.width + GAP;
    return segment;
  });
}

/** Shows shares of a total as one bar. */
export function Shares({ shares, of, summary }: SharesProps) {
  return (
    <svg
      className={styles.shares}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={summary}
    >
      {segmentsOf({ shares, of }).map(({ name, count, tone, x, width }) => (
        <rect key={name} className={styles[tone]} x={x} width={width} height={HEIGHT}>
          <title>{`${name}: ${count}`}</title>
        </rect>
      ))}
    </svg>
  );
}
