import type { EventDetail } from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ProblemNotice } from '../problem-notice.tsx';
import { Cause } from './cause.tsx';
import { EventParts } from './event-parts.tsx';
import { Notes } from './notes.tsx';
import styles from './occurrence.module.css';
import { OccurrenceFacts } from './occurrence-facts.tsx';
import { TimeLine } from './time-line.tsx';
import type { Occurrence as Shown } from './use-occurrence.ts';

interface OccurrenceProps {
  readonly issue: IssueAnswer;
  readonly occurrence: Shown;
}

function CauseSection({ issue, event }: { readonly issue: IssueAnswer; readonly event: EventDetail }) {
  const isBrief = event.brief === true;
  return (
    <Section title="Cause">
      {isBrief && (
        <p className={styles.brief}>
          One of very many repeats, kept without its stack. This is the newest full one’s.
        </p>
      )}
      <Cause event={isBrief ? (issue.latest ?? event) : event} />
    </Section>
  );
}

/** One event of the issue: why it failed, what happened around it, and where it was seen. */
export function Occurrence({ issue, occurrence: { event, error, isOld, retry } }: OccurrenceProps) {
  if (event === null) {
    return (
      <div className={styles.occurrence}>
        <Notice icon="empty" title="Only the counts are left">
          <p>
            Every event of it was counted and is older than what is kept here, so the stacks are gone. The
            next one that happens is kept in full again.
          </p>
        </Notice>
        <Notes issue={issue} />
      </div>
    );
  }
  if (event === undefined && error !== null) {
    return <ProblemNotice what="This occurrence" error={error} onRetry={retry} />;
  }
  if (event === undefined) return <Skeleton label="Loading the occurrence" lines={7} />;
  return (
    <div className={styles.occurrence} aria-busy={isOld}>
      <div className={styles.cause}>
        <CauseSection issue={issue} event={event} />
      </div>
      <aside className={styles.side} aria-label="Key facts and notes">
        <OccurrenceFacts issue={issue} event={event} />
        <Notes issue={issue} />
      </aside>
      <div className={styles.rest}>
        <TimeLine event={event} />
        <EventParts event={event} />
      </div>
    </div>
  );
}
