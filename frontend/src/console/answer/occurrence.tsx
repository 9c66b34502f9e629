import type { EventDetail } from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { Link } from 'react-router';
import { hasStatus } from '../../api/api-error.ts';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { answerPath } from '../shared/paths.ts';
import { ProblemNotice } from '../shared/problem-notice.tsx';
import { causeEvent } from './cause-event.ts';
import { Cause } from './cause.tsx';
import { EventParts } from './event-parts.tsx';
import { Notes } from './notes.tsx';
import styles from './occurrence.module.css';
import { OccurrenceFacts } from './occurrence-facts.tsx';
import { TimeLine } from './timeline.tsx';
import type { Occurrence as Shown } from './use-occurrence.ts';

interface OccurrenceProps {
  readonly issue: IssueAnswer;
  readonly occurrence: Shown;
}

function Kept({ issue, event }: { readonly issue: IssueAnswer; readonly event: EventDetail }) {
  return (
    <Section title="Cause">
      {event.brief === true && (
        <p className={styles.brief}>
          One of very many repeats, kept without its stack. This is the newest full one’s.
        </p>
      )}
      <Cause event={causeEvent(issue, event)} />
    </Section>
  );
}

function NoneKept() {
  return (
    <Notice icon="empty" title="Only the counts are left">
      <p>
        Every event of it was counted and is older than what is kept here, so the stacks are gone. The next
        one that happens is kept in full again.
      </p>
    </Notice>
  );
}

function NotHere({ issue }: { readonly issue: IssueAnswer }) {
  return (
    <Notice icon="empty" title="This occurrence is not here" urgent>
      <p>It was counted and is older than what is kept, or its id is misspelt.</p>
      {issue.latest !== null && (
        <p>
          <Link to={answerPath(issue)}>Show the newest occurrence</Link>
        </p>
      )}
    </Notice>
  );
}

/** Why it failed, or why that cannot be said. */
function CauseSection({ issue, occurrence: { event, error, retry } }: OccurrenceProps) {
  if (event === null) return <NoneKept />;
  if (event !== undefined) return <Kept issue={issue} event={event} />;
  if (error === null) return <Skeleton label="Loading the occurrence" lines={7} />;
  if (hasStatus(error, 404)) return <NotHere issue={issue} />;
  return <ProblemNotice what="This occurrence" error={error} onRetry={retry} />;
}

/**
 * One event of the issue: why it failed, what happened around it, and where it was seen. What is half written, and the
 * way to the neighbours, stand through all of its states.
 */
export function Occurrence({ issue, occurrence }: OccurrenceProps) {
  const event = occurrence.event ?? undefined;
  const eventId = event?.eventId ?? occurrence.id;
  return (
    <div className={styles.occurrence} aria-busy={occurrence.isOld}>
      <div className={styles.cause}>
        <CauseSection issue={issue} occurrence={occurrence} />
      </div>
      <aside className={styles.side} aria-label="Key facts and notes">
        {eventId !== null && <OccurrenceFacts issue={issue} eventId={eventId} event={event} />}
        <Notes issue={issue} />
      </aside>
      {event !== undefined && (
        <div className={styles.rest}>
          <TimeLine event={event} />
          <EventParts event={event} />
        </div>
      )}
    </div>
  );
}
