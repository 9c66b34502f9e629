import type { EventDetail } from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { lazy, Suspense } from 'react';
import { hasStatus } from '../../api/api-error.ts';
import { useIsOperator } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { TimeText } from '../../ui/format/time-text.tsx';
import { FoldedText } from '../../ui/form/folded-text.tsx';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { answerPath } from '../shared/paths.ts';
import { ProblemNotice } from '../shared/problem-notice.tsx';
import { EventParts } from './event-parts.tsx';
import { NoteForm } from './note-form.tsx';
import { OccurrenceFacts } from './occurrence-facts.tsx';
import styles from './occurrence.module.css';
import { causeEvent, minifiedNote } from './stack-parts.ts';
import { PageLine } from './page-line.tsx';
import causes from './stack.module.css';
import { Stack } from './stack.tsx';
import { Timeline } from './timeline.tsx';
import type { ShownEvent } from './use-occurrence.ts';

/** In a chunk of its own: the answer does not wait for it. Where that is lost, the answer stays. */
const Facets = lazy(() =>
  import('./facets.tsx').then(
    ({ Facets: box }) => ({ default: box }),
    () => ({ default: () => null }),
  ),
);

/** Shows the chain of errors: the thrown error, then its causes. */
function Cause({ event }: { readonly event: EventDetail }) {
  const minified = minifiedNote(event);
  return (
    <>
      {minified !== null && <p className={causes.unmapped}>{minified}</p>}
      {event.exceptions.length === 0 && <p className={causes.none}>No stack trace</p>}
      <ol className={causes.chain}>
        {event.exceptions.map((exception, index) => (
          <li key={index} className={causes.exception}>
            <h3 className={causes.title}>
              {index > 0 && <span className={causes.because}>caused by</span>}
              <span className={causes.type}>{exception.type}</span>
              <span className={causes.value}>
                <FoldedText key={exception.value} text={exception.value} />
              </span>
            </h3>
            <Stack frames={exception.frames} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** Shows the team's notes. Operators write, all users read. */
function Notes({ issue }: { readonly issue: IssueAnswer }) {
  const isOperator = useIsOperator();
  const notes = issue.notes ?? [];
  if (notes.length === 0 && !isOperator) return null;
  return (
    <div className={styles.box}>
      <Section title="Notes">
        {notes.length > 0 && (
          <ol className={styles.notes}>
            {notes.map(({ id, time, author, text }) => (
              <li key={id} className={styles.note}>
                <p className={styles.text}>{text}</p>
                <p className={styles.author}>
                  {author}, <TimeText time={time} />
                </p>
              </li>
            ))}
          </ol>
        )}
        {isOperator && <NoteForm issue={issue} />}
      </Section>
    </div>
  );
}

interface OccurrenceProps {
  readonly issue: IssueAnswer;
  readonly occurrence: ShownEvent;
}

function StoredCause({ issue, event }: { readonly issue: IssueAnswer; readonly event: EventDetail }) {
  const linked = event.linkedEvent;
  return (
    <Section title="Cause">
      {event.brief === true && (
        <p className={styles.brief}>High-volume issue. Stack trace of the most recent full event.</p>
      )}
      <Cause event={causeEvent(issue, event)} />
      {linked != null && (
        <p className={styles.brief}>
          Same {linked.joinedBy === 'trace_id' ? 'trace' : 'request'}:{' '}
          <Link to={answerPath(linked, linked.eventId)}>{linked.title}</Link>{' '}
          {linked.provenance.origin === 'browser' && <Badge>public key</Badge>}
        </p>
      )}
    </Section>
  );
}

function EventsExpired() {
  return (
    <Notice icon="empty" title="Events expired">
      <p>All events are past retention; counts remain. The next event is stored in full.</p>
    </Notice>
  );
}

function EventNotFound({ issue }: { readonly issue: IssueAnswer }) {
  return (
    <Notice icon="empty" title="Event not found" urgent>
      <p>The event is past retention, or the ID is wrong.</p>
      {issue.latest !== null && (
        <p>
          <Link to={answerPath(issue)}>Show the newest event</Link>
        </p>
      )}
    </Notice>
  );
}

/** Shows the cause, or why it is not available. */
function CauseSection({ issue, occurrence: { event, error, retry } }: OccurrenceProps) {
  if (event === null) return <EventsExpired />;
  if (event !== undefined) return <StoredCause issue={issue} event={event} />;
  if (error === null) return <Skeleton label="Loading the event" lines={7} />;
  if (hasStatus(error, 404)) return <EventNotFound issue={issue} />;
  return <ProblemNotice what="This event" error={error} onRetry={retry} />;
}

/**
 * Shows one event of the issue: cause, timeline, facts. Notes and steps stay mounted in all states, so a half-written
 * note is not lost.
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
        <Suspense>{issue.events > 1 && <Facets issue={issue} />}</Suspense>
        <PageLine issue={issue} />
        <Notes issue={issue} />
      </aside>
      {event !== undefined && (
        <div className={styles.rest}>
          <Timeline event={event} />
          <EventParts event={event} />
        </div>
      )}
    </div>
  );
}
