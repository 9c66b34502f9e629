import type { DeliveryMinutes } from '@errata/backend/contract/delivery-api.ts';
import { Bars } from '../../ui/charts/bars.tsx';
import { formatCount } from '../../ui/format/count.ts';
import { Section } from '../../ui/section.tsx';
import styles from './delivery-page.module.css';

const MINUTE_MS = 60_000;
const CLOCK = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

interface Bar {
  readonly label: string;
  readonly count: number | null;
}

/** Returns the bar of the last minute with a count that `isWanted`, if a later one has another: there a change began. */
function lastBefore(bars: readonly Bar[], isWanted: (count: number) => boolean): string | undefined {
  const counted = bars.flatMap(({ label, count }) => (count === null ? [] : [{ label, count }]));
  const last = counted.findLast(({ count }) => isWanted(count));
  return last === counted.at(-1) ? undefined : last?.label;
}

interface RowProps {
  readonly bars: readonly Bar[];
  readonly name: string;
  /** The change of the row, if there is one: "last empty at 14:01". */
  readonly change: string;
  /** The span in words: "last 3 hours". */
  readonly span: string;
}

function Row({ bars, name, change, span }: RowProps) {
  const most = Math.max(0, ...bars.map(({ count }) => count ?? 0));
  const caption = `${name}, max ${formatCount(most)}${change}`;
  return (
    <Bars
      bars={bars.map(({ label, count }) => ({
        text: `${label} · ${count === null ? 'not counted' : formatCount(count)}`,
        counts: count === null ? null : [count],
      }))}
      label={`${caption}, ${span}`}
      caption={caption}
      from={bars[0]?.label ?? ''}
      to="now"
    />
  );
}

/** Shows queue and deliveries of the last three hours by minute, so that a reader sees when an outage began. */
export function DeliveryHistory({ history: { end, minutes } }: { readonly history: DeliveryMinutes }) {
  const labels = minutes.map((_, index) =>
    CLOCK.format(Date.parse(end) - (minutes.length - index) * MINUTE_MS),
  );
  const first = minutes.findIndex((minute) => minute !== null);
  if (first === -1) return null;
  const barsOf = (name: 'queued' | 'delivered'): readonly Bar[] =>
    minutes.map((minute, index) => ({ label: labels[index] ?? '', count: minute?.[name] ?? null }));
  const [queued, delivered] = [barsOf('queued'), barsOf('delivered')];
  const empty = lastBefore(queued, (count) => count === 0);
  const sent = lastBefore(delivered, (count) => count > 0);
  const span = first === 0 ? 'last 3 hours' : `since ${labels[first]}`;
  return (
    <Section title="Queue and deliveries" remark={span}>
      <div className={styles.history}>
        <Row
          name="Queued"
          bars={queued}
          change={empty === undefined ? '' : `, last empty at ${empty}`}
          span={span}
        />
        <Row
          name="Delivered per minute"
          bars={delivered}
          change={sent === undefined ? '' : `, last at ${sent}`}
          span={span}
        />
      </div>
    </Section>
  );
}
