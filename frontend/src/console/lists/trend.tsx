import { useState } from 'react';
import { useTrend } from '../../api/trend.ts';
import { Bars } from '../../ui/charts/bars.tsx';
import { formatCount } from '../../ui/format/count.ts';
import { type TrendBar, trendDays, trendHours, trendTerm, trendText } from './trend-bars.ts';
import styles from './trend.module.css';

const SPANS = [
  { name: '24 h', words: '24 hours', unit: 'hour', from: '24 h ago', barsOf: trendHours },
  { name: '14 d', words: '14 days', unit: 'day', from: '14 d ago', barsOf: trendDays },
] as const;

function captionOf(bars: readonly TrendBar[], { words, unit }: Span): string {
  const most = Math.max(...bars.map(({ server, browser }) => server + browser));
  return `All errors of the last ${words}, max ${formatCount(most)} per ${unit}`;
}

type Span = (typeof SPANS)[number];

interface AsideProps {
  readonly span: Span;
  readonly onSpan: (span: Span) => void;
}

/** Explains the colours, and changes the span. */
function Aside({ span, onSpan }: AsideProps) {
  return (
    <div className={styles.aside}>
      <span className={styles.server}>server</span>
      <span className={styles.browser}>browser</span>
      {SPANS.map((one) => (
        <button
          key={one.name}
          className={styles.span}
          type="button"
          aria-pressed={one === span}
          onClick={() => onSpan(one)}
        >
          {one.name}
        </button>
      ))}
    </div>
  );
}

interface TrendProps {
  /** Canonical DSN, or '' for all projects. */
  readonly project: string;
  /** Gets the term of a search for the chosen hours. */
  readonly onChoose: (term: string) => void;
}

/** Shows whether errors are more than usual, since when, and which release came before. No filter of a list changes it. */
export function Trend({ project, onChoose }: TrendProps) {
  const { data, isError } = useTrend(project);
  const [span, setSpan] = useState<Span>(SPANS[0]);
  if (data === undefined) return isError ? null : <div className={styles.trend} />;
  const bars = span.barsOf(data);
  if ([...data.server, ...data.browser].every((count) => count === 0)) return null;
  return (
    <section className={styles.trend} aria-label="Trend">
      <Bars
        bars={bars.map((bar) => ({
          text: trendText(bar),
          counts: [bar.server, bar.browser],
          isMarked: bar.releases.length > 0,
        }))}
        caption={captionOf(bars, span)}
        from={span.from}
        to="now"
        aside={<Aside span={span} onSpan={setSpan} />}
        onChoose={(at) => {
          const bar = bars[at];
          if (bar !== undefined) onChoose(trendTerm(bar));
        }}
      />
    </section>
  );
}
