import type { EventDetail, NearbyEvent, TimelineEntry } from '@errata/backend/contract/event-api.ts';
import { Badge } from '../../ui/badge.tsx';
import { counted } from '../../ui/format/count.ts';
import { Link } from '../../ui/link.tsx';
import { Section } from '../../ui/section.tsx';
import { KindLabel } from '../shared/kind-label.tsx';
import { answerPath } from '../shared/paths.ts';
import styles from './event.module.css';

interface TimelineRowProps {
  readonly entry: TimelineEntry;
  /** Time of the previous row; for the first row, of the error. */
  readonly before: string;
  readonly event: EventDetail;
}

const CLOCK = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  timeZoneName: 'short',
} as const;
const ON_THE_SAME_DAY = new Intl.DateTimeFormat('en-GB', CLOCK);
const ON_ANOTHER_DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...CLOCK });

function clockOf(time: string, before: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const isSameDay = date.toDateString() === new Date(before).toDateString();
  return (isSameDay ? ON_THE_SAME_DAY : ON_ANOTHER_DAY).format(date);
}

/** Shows one entry; the error itself is marked, and the linked event links to its own answer. */
function TimelineRow({ entry, before, event }: TimelineRowProps) {
  const { time, kind, category, text, level, eventId } = entry;
  const isThis = eventId === event.eventId && category === 'exception';
  const other = eventId !== null && eventId === event.linkedEvent?.eventId ? event.linkedEvent : null;
  return (
    <li className={isThis ? `${styles.row} ${styles.this}` : styles.row} data-level={level}>
      <time className={styles.time} dateTime={time} title={time}>
        {clockOf(time, before)}
      </time>
      <span className={styles.kind}>
        <KindLabel kind={kind} />
      </span>
      <code className={styles.category}>{category}</code>
      <span className={styles.text}>
        {/* Colour must not be the only sign (WCAG 1.4.1). */}
        {(level === 'warning' || level === 'error') && !isThis && (
          <span className={styles.level}>{level} </span>
        )}
        {other === null ? text : <Link to={answerPath(other, other.eventId)}>{text}</Link>}
        {isThis && <strong className={styles.mark}> ◂ this error</strong>}
      </span>
    </li>
  );
}

/** Entries shown before unfolding: the cause is rarely earlier. */
const IN_SIGHT = 20;
/** Most entries that the server sends; a list of this length is truncated. */
const MOST = 200;

interface TimelineRowsProps {
  readonly entries: readonly TimelineEntry[];
  /** Time of the entry before these; for the first entry, of the error, whose date is among the key facts. */
  readonly before: string;
  readonly event: EventDetail;
}

function Rows({ entries, before, event }: TimelineRowsProps) {
  return (
    <ol>
      {entries.map((entry, index) => (
        <TimelineRow key={index} entry={entry} before={entries[index - 1]?.time ?? before} event={event} />
      ))}
    </ol>
  );
}

/** Formats the distance of two times by the clocks of their senders: `45 s earlier`. */
function distanceOf(time: string, from: string): string {
  const seconds = Math.round((Date.parse(time) - Date.parse(from)) / 1_000);
  const size = Math.abs(seconds);
  if (size === 0) return 'at the same time';
  return `${size < 60 ? `${size} s` : `${Math.round(size / 60)} min`} ${seconds < 0 ? 'earlier' : 'later'}`;
}

interface NearbyLinkProps {
  readonly event: EventDetail;
  readonly other: NearbyEvent;
}

function NearbyLink({ event, other }: NearbyLinkProps) {
  return (
    <p className={styles.remark}>
      <Link to={answerPath(other, other.eventId)}>Another {other.kind} error of this fault</Link>,{' '}
      {distanceOf(other.time, event.time)}{' '}
      {other.provenance.origin === 'browser' && <Badge>public key</Badge>}
    </p>
  );
}

/** Shows the moments around the error, of browser and server, in one list, and a link to a similar failure near it. */
export function Timeline({ event }: { readonly event: EventDetail }) {
  const entries = event.timeline ?? [];
  if (entries.length === 0) return null;
  const kinds = new Set(entries.map(({ kind }) => kind));
  const earlier = entries.slice(0, -IN_SIGHT);
  return (
    <Section title="Timeline" remark={kinds.size > 1 ? 'browser and server' : [...kinds].join('')}>
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
      {event.nearbyEvent != null && <NearbyLink event={event} other={event.nearbyEvent} />}
    </Section>
  );
}
