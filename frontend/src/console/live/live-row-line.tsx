import type { LiveEvent } from '@errata/backend/contract/live-api.ts';
import { memo } from 'react';
import { Link } from 'react-router';
import { TimeText } from '../../ui/format/time-text.tsx';
import { KindLabel } from '../shared/kind-label.tsx';
import styles from './live-row-line.module.css';
import { answerPath } from '../shared/paths.ts';

/** One event as it came in. Remembered by its event, which never changes: a burst draws only what is new. */
export const LiveRowLine = memo(function LiveRowLine({ event }: { readonly event: LiveEvent }) {
  const facts = [event.path, event.user, event.release, event.environment, event.browser];
  return (
    <li className={event.isNew ? `${styles.row} ${styles.first}` : styles.row}>
      <span className={styles.time}>
        <TimeText time={event.time} form="clock" />
      </span>
      <Link className={styles.title} to={answerPath(event, event.eventId)} data-row>
        {event.title}
      </Link>
      {event.isNew && <span className={styles.new}>New issue</span>}
      <p className={styles.facts}>
        <code className={styles.digest}>{event.digest}</code>
        <KindLabel kind={event.kind} />
        {facts.map((fact, index) =>
          fact === null || fact === undefined ? null : <span key={index}>{fact}</span>,
        )}
      </p>
    </li>
  );
});
