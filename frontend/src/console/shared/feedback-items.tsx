import type { IssueName } from '@errata/backend/contract/event-api.ts';
import type { FeedbackEntry } from '@errata/backend/contract/issues-api.ts';
import { CopyButton } from '../../ui/form/copy-button.tsx';
import { TimeText } from '../../ui/format/time-text.tsx';
import { Link } from '../../ui/link.tsx';
import { WebLink } from '../../ui/web-link.tsx';
import { answerPath } from './paths.ts';
import styles from './shared.module.css';

interface FeedbackItemsProps {
  readonly entries: readonly FeedbackEntry[];
  /** The issue of the feedback, if there is one. */
  readonly issue?: IssueName;
}

interface WriterProps {
  readonly entry: FeedbackEntry;
  readonly issue: IssueName | undefined;
}

function Writer({ entry: { time, name, contact, eventId, url, provenance }, issue }: WriterProps) {
  return (
    <p className={styles.writer}>
      <span>{name ?? 'Anonymous'}</span>
      {contact !== null && (
        <span className={styles.contact}>
          {contact} <CopyButton text={contact} what="contact" label="icon" />
        </span>
      )}
      {provenance.origin === 'browser' && <span>public key</span>}
      <TimeText time={time} />
      {url != null && (
        <span>
          on <WebLink url={url} />
        </span>
      )}
      {eventId !== null && issue !== undefined && <Link to={answerPath(issue, eventId)}>View event</Link>}
    </p>
  );
}

/** Lists feedback with name, contact and time. */
export function FeedbackItems({ entries, issue }: FeedbackItemsProps) {
  return (
    <ul className={styles.list} aria-label="Feedback">
      {entries.map((entry, index) => (
        <li key={entry.id ?? index} className={styles.entry}>
          <blockquote className={styles.message}>{entry.message}</blockquote>
          <Writer entry={entry} issue={issue} />
        </li>
      ))}
    </ul>
  );
}
