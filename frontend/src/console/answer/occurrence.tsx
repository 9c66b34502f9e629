import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { useEvent } from '../../api/look-up.ts';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Cause } from './cause.tsx';
import styles from './occurrence.module.css';
import { OccurrenceFacts } from './occurrence-facts.tsx';
import { ProblemNotice } from '../problem-notice.tsx';

interface OccurrenceProps {
  readonly issue: IssueAnswer;
  readonly eventId: string | null;
}

/** One event of the issue: why it failed, and where it was seen. The newest one comes with the issue itself. */
export function Occurrence({ issue, eventId }: OccurrenceProps) {
  const isLatest = eventId === null || eventId === issue.latest?.eventId;
  const asked = useEvent(isLatest ? null : eventId);
  const event = isLatest ? issue.latest : asked.data;

  if (event === null) {
    return (
      <Notice icon="empty" title="Only the counts are left">
        <p>The events themselves are older than what is kept here, so their stacks are gone.</p>
      </Notice>
    );
  }
  if (event === undefined && asked.error !== null) {
    return <ProblemNotice what="This occurrence" error={asked.error} onRetry={() => void asked.refetch()} />;
  }
  if (event === undefined) return <Skeleton label="Loading the occurrence" lines={7} />;
  return (
    <div className={styles.occurrence} aria-busy={asked.isPlaceholderData}>
      <Section title="Cause">
        {event.brief === true && (
          <p className={styles.brief}>
            One of very many repeats, kept without its stack. This is the newest full one’s.
          </p>
        )}
        <Cause event={event.brief === true ? (issue.latest ?? event) : event} />
      </Section>
      <OccurrenceFacts issue={issue} event={event} />
    </div>
  );
}
