import type { EventDetail, TimeLineEntry } from '@errata/backend/contract/event-api.ts';
import { Link } from 'react-router';
import { counted } from '../../ui/format/count.ts';
import { Section } from '../../ui/section.tsx';
import { KindLabel } from '../shared/kind-label.tsx';
import { answerPath } from '../shared/paths.ts';
import styles from './event.module.css';

interface TimelineRowProps {
  readonly entry: TimeLineEntry;
  /** When the row before happened; for the first one, the failure itself. */
  readonly before: string;
  readonly event: EventDetail;
}

const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 } as const;
const ON_THE_SAME_DAY = new Intl.DateTimeFormat('en-GB', CLOCK);
const ON_ANOTHER_DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...CLOCK });

function clockOf(time: string, before: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const isSameDay = date.toDateString() === new Date(before).toDateString();
  return (isSameDay ? ON_THE_SAME_DAY : ON_ANOTHER_DAY).format(date);
}

/** One thing that happened; the failure itself is marked, and the other half's leads to its own answer. */
function TimelineRow({ entry, before, event }: TimelineRowProps) {
  const { time, half, category, text, level, eventId } = entry;
  const isThis = eventId === event.eventId && category === 'exception';
  const other = eventId !== null && eventId === event.otherHalf?.eventId ? event.otherHalf : null;
  return (
    <li className={isThis ? `${styles.row} ${styles.this}` : styles.row} data-level={level}>
      <time className={styles.time} dateTime={time} title={time}>
        {clockOf(time, before)}
      </time>
      <span className={styles.half}>
        <KindLabel kind={half} />
      </span>
      <code className={styles.category}>{category}</code>
      <span className={styles.text}>
        {/* Colour alone would say it to some only. */}
        {(level === 'warning' || level === 'error') && !isThis && (
          <span className={styles.level}>{level} </span>
        )}
        {other === null ? text : <Link to={answerPath(other, other.eventId)}>{text}</Link>}
        {isThis && <strong className={styles.mark}> ◂ this error</strong>}
      </span>
    </li>
  );
}

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
    <ol>
      {entries.map((entry, index) => (
        <TimelineRow key={index} entry={entry} before={entries[index - 1]?.time ?? before} event={event} />
      ))}
    </ol>
  );
}

/** What happened around the failure, in the browser and on the server, in one line. */
export function Timeline({ event }: { readonly event: EventDetail }) {
  const entries = event.timeLine ?? [];
  if (entries.length === 0) return null;
  const halves = new Set(entries.map(({ half }) => half));
  const earlier = entries.slice(0, -IN_SIGHT);
  return (
    <Section title="Timeline" remark={halves.size > 1 ? 'browser and server' : [...halves].join('')}>
      <div className={styles.line}>
        {earlier.length > 0 && (
          <details className={styles.earlier}>
            <summary>
              {counted(earlier.length, 'earlier entry', 'earlier entries')}
              {entries.length >= MOST && ' (older ones truncated)'}
            </summary>
            <Rows entries={earlier} before={event.time} event={event} />
          </details>
        )}
        <Rows entries={entries.slice(-IN_SIGHT)} before={earlier.at(-1)?.time ?? event.time} event={event} />
      </div>
    </Section>
  );
}
