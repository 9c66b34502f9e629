import styles from './charts.module.css';

export interface Share {
  readonly name: string;
  readonly count: number;
  readonly tone: 'accent' | 'good' | 'warn' | 'bad' | 'quiet';
}

interface SharesProps {
  readonly shares: readonly Share[];
  /** The whole picture in one sentence. */
  readonly summary: string;
}

const WIDTH = 1_000;
const HEIGHT = 10;
/** One of a million is still seen. */
const MIN_WIDTH = 6;
const GAP = 3;

interface Segment extends Share {
  readonly x: number;
  readonly width: number;
}

/** Lays the parts side by side; what is there at all is wide enough to see, at the cost of the widest. */
function segmentsOf(shares: readonly Share[]): readonly Segment[] {
  const seen = shares.filter(({ count }) => count > 0);
  const total = seen.reduce((sum, { count }) => sum + count, 0);
  const room = WIDTH - GAP * (seen.length - 1) - MIN_WIDTH * seen.length;
  let x = 0;
  return seen.map((share) => {
    const segment = { ...share, x, width: MIN_WIDTH + (share.count / total) * room };
    x += segment.width + GAP;
    return segment;
  });
}

/** One bar of everything, cut into what became of it. */
export function Shares({ shares, summary }: SharesProps) {
  return (
    <svg
      className={styles.shares}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={summary}
    >
      {segmentsOf(shares).map(({ name, count, tone, x, width }) => (
        <rect key={name} className={styles[tone]} x={x} width={width} height={HEIGHT}>
          <title>{`${name}: ${count}`}</title>
        </rect>
      ))}
    </svg>
  );
}
