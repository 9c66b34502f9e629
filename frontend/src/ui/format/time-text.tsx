import { absoluteTime, clockTime, relativeTime } from './time-words.ts';
import { useNow } from './use-now.ts';

interface TimeTextProps {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly form?: 'relative' | 'absolute' | 'clock';
}

/** A time in the reader's words; pointing at it gives the other form and the UTC of the log line. */
export function TimeText({ time, form = 'relative' }: TimeTextProps) {
  const now = useNow();
  const date = new Date(time);
  // What an event says about its time is the sender's word.
  if (Number.isNaN(date.getTime())) return <span>{time}</span>;
  const words = {
    relative: relativeTime(date, now),
    absolute: absoluteTime(date, now),
    clock: clockTime(date, now),
  };
  const other = form === 'relative' ? words.absolute : words.relative;
  return (
    <time dateTime={time} title={`${other} – ${time}`}>
      {words[form]}
    </time>
  );
}
