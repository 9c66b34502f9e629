import type { EventSummary } from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { Link } from 'react-router';
import { useIssueEvents } from '../../api/find.ts';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TimeText } from '../../ui/format/time-text.tsx';
import styles from './occurrences.module.css';
import { answerPath } from '../shared/paths.ts';
import { ListEnd } from '../shared/list-end.tsx';

interface OccurrencesProps {
  readonly issue: IssueAnswer;
  /** ID of the event shown above. */
  readonly eventId: string | null;
}

interface RowProps {
  readonly issue: IssueAnswer;
  readonly event: EventSummary;
  readonly isShown: boolean;
}

function Row({ issue, event, isShown }: RowProps) {
  return (
    <li className={styles.row}>
      <Link
        className={styles.time}
        to={answerPath(issue, event.eventId)}
        aria-current={isShown ? 'true' : undefined}
        data-row
      >
        <TimeText time={event.time} form="absolute" />
      </Link>
      <code className={styles.reference}>{event.reference}</code>
      <span className={styles.path}>{event.path}</span>
      <span className={styles.browser}>{event.browser}</span>
      <span className={styles.release}>{event.release}</span>
    </li>
  );
}

/** Pages through the stored events, newest first. */
export function Occurrences({ issue, eventId }: OccurrencesProps) {
  const list = useIssueEvents(issue);
  const { data } = list;
  const events = data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <Section title="Events">
      {events.length > 0 && (
        <ol className={styles.list}>
          {events.map((event) => (
            <Row key={event.eventId} issue={issue} event={event} isShown={event.eventId === eventId} />
          ))}
        </ol>
      )}
      {data !== undefined && events.length === 0 && <p className={styles.none}>No stored events.</p>}
      <ListEnd list={list} what="The events" more="Show older">
        <Skeleton label="Loading the events" lines={4} />
      </ListEnd>
    </Section>
  );
}
