import type { EventDetail, TimeLineEntry } from '@errata/backend/contract/event-api.ts';
import { counted } from '../../ui/format/count.ts';
import { Section } from '../../ui/section.tsx';
import { TimeLineRow } from './time-line-row.tsx';
import styles from './timeline.module.css';

/** What is in sight before the earlier ones are unfolded: the cause is rarely further away. */
const IN_SIGHT = 20;
/** As many as the server keeps; a line that long was cut. */
const MOST = 200;

interface RowsProps {
  readonly entries: readonly TimeLineEntry[];
  /** When the entry before these happened; for the first of all, the failure itself, whose date the key facts show. */
  readonly before: string;
  readonly event: EventDetail;
}

function Rows({ entries, before, event }: RowsProps) {
  return (
    <ol className={styles.rows}>
      {entries.map((entry, index) => (
        <TimeLineRow key={index} entry={entry} before={entries[index - 1]?.time ?? before} event={event} />
      ))}
    </ol>
  );
}

/** What happened around the failure, in the browser and on the server, in one line. */
export function TimeLine({ event }: { readonly event: EventDetail }) {
  const entries = event.timeLine ?? [];
  if (entries.length === 0) return null;
  const halves = new Set(entries.map(({ half }) => half));
  const earlier = entries.slice(0, -IN_SIGHT);
  return (
    <Section
      title="Time line"
      remark={halves.size > 1 ? 'browser and server, one failure' : `of the ${[...halves].join('')}`}
    >
      <div className={styles.line}>
        {earlier.length > 0 && (
          <details className={styles.earlier}>
            <summary>
              {counted(earlier.length, 'earlier entry', 'earlier entries')}
              {entries.length >= MOST && ', the ones before were cut'}
            </summary>
            <Rows entries={earlier} before={event.time} event={event} />
          </details>
        )}
        <Rows entries={entries.slice(-IN_SIGHT)} before={earlier.at(-1)?.time ?? event.time} event={event} />
      </div>
    </Section>
  );
}
