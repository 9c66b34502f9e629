import type { HourCount, IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { Bars } from '../../ui/charts/bars.tsx';
import { counted, formatCount } from '../../ui/format/count.ts';
import styles from './answer-page.module.css';

interface SpanProps {
  readonly counts: readonly HourCount[];
  /** The span in words: "24 hours". */
  readonly span: string;
  readonly unit: 'hour' | 'day';
  readonly from: string;
}

const NAMES: Readonly<Record<SpanProps['unit'], Intl.DateTimeFormat>> = {
  hour: new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }),
  // The server counts days in UTC.
  day: new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }),
};

function nameOf(start: string, unit: SpanProps['unit']): string {
  const time = new Date(start);
  return Number.isNaN(time.getTime()) ? start : NAMES[unit].format(time);
}

function captionOf({ counts, span, unit }: SpanProps): string {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(0, ...counts.map(({ count }) => count));
  return `${formatCount(total)} in the last ${span}, max ${formatCount(most)} per ${unit}`;
}

function Span(props: SpanProps) {
  return (
    <Bars
      bars={props.counts.map(({ hour, count }) => ({
        text: `${nameOf(hour, props.unit)} · ${counted(count, 'event', 'events')}`,
        counts: [count],
      }))}
      caption={captionOf(props)}
      from={props.from}
      to="now"
    />
  );
}

/** Shows the events of the last day by hour and of the last four weeks by day. */
export function EventHistograms({ issue: { hours, days } }: { readonly issue: IssueAnswer }) {
  return (
    <div className={styles.spans}>
      <Span counts={hours} span="24 hours" unit="hour" from="24 h ago" />
      {days.length > 0 && <Span counts={days} span="28 days" unit="day" from="28 d ago" />}
    </div>
  );
}
