import { absoluteTime, relativeTime } from './time-words.ts';
import { useNow } from './use-now.ts';

interface TimeTextProps {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly form?: 'relative' | 'absolute';
}

/** A time in the reader's words; pointing at it gives the other form and the UTC of the log line. */
export function TimeText({ time, form = 'relative' }: TimeTextProps) {
  const now = useNow();
  const date = new Date(time);
  // What an event says about its time is the sender's word.
  if (Number.isNaN(date.getTime())) return <span>{time}</span>;
  const relative = relativeTime(date, now);
  const absolute = absoluteTime(date, now);
  return (
    <time dateTime={time} title={`${form === 'relative' ? absolute : relative} – ${time}`}>
      {form === 'relative' ? relative : absolute}
    </time>
  );
}
