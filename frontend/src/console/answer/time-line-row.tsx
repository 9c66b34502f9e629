import type { EventDetail, TimeLineEntry } from '@errata/backend/contract/event-api.ts';
import { Link } from 'react-router';
import { KindLabel } from '../shared/kind-label.tsx';
import { answerPath } from '../shared/paths.ts';
import styles from './timeline.module.css';

interface TimeLineRowProps {
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
export function TimeLineRow({ entry, before, event }: TimeLineRowProps) {
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
        {isThis && <strong className={styles.mark}> ◂ this</strong>}
      </span>
    </li>
  );
}
