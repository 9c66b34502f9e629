import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import type { QueryClient } from '@tanstack/react-query';
import { Navigate, type Params, useParams, useSearchParams } from 'react-router';
import { hasStatus } from '../../api/api-error.ts';
import { prefetchIssue, useIssue } from '../../api/find.ts';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { FeedbackItems } from '../shared/feedback-items.tsx';
import { IssueList } from '../shared/issue-list.tsx';
import { answerPath, findPath } from '../shared/paths.ts';
import { ProblemNotice } from '../shared/problem-notice.tsx';
import { usePageTitle } from '../shell/console-frame.tsx';
import { SessionGate } from '../sign-in/session-gate.tsx';
import { AnswerHead } from './answer-head.tsx';
import styles from './answer-page.module.css';
import { useEventFilter } from './event-filter.ts';
import { EventsTable } from './events-table.tsx';
import { Occurrence } from './occurrence.tsx';
import { useOccurrence } from './use-occurrence.ts';

/** Shows the feedback of users on this issue. */
function Feedback({ issue }: { readonly issue: IssueAnswer }) {
  if (issue.feedback.length === 0) return null;
  return (
    <Section title="User feedback">
      <FeedbackItems entries={issue.feedback} issue={issue} />
    </Section>
  );
}

/** Lists linked issues: the server errors behind a browser error, or the browser errors that a server error caused. */
function RelatedIssues({ issue }: { readonly issue: IssueAnswer }) {
  const title = issue.kind === 'browser' ? 'Caused by this server error' : 'Errors it caused in the browser';
  return (
    <Section title={title}>
      <IssueList issues={issue.related} label={title} />
    </Section>
  );
}

interface AnswerProps {
  readonly digest: string;
  /** Canonical DSN of the project, or null for the project seen last. */
  readonly project: string | null;
  /** ID of the event in the address, or null for the newest event. */
  readonly eventId: string | null;
}

function Answer({ digest, project, eventId }: AnswerProps) {
  const { data: issue, error, refetch } = useIssue(digest, project);
  const { q } = useEventFilter();
  const occurrence = useOccurrence(issue, eventId, project);
  // The text may be an event ID, the start of a digest, or a mistyped digest.
  if (issue === undefined && hasStatus(error, 404)) return <Navigate replace to={findPath(digest)} />;
  if (issue === undefined) {
    return (
      <div className={styles.waiting}>
        <h1 className={styles.digest}>{digest}</h1>
        {error === null && <Skeleton label="Loading the answer" lines={9} />}
        {error !== null && <ProblemNotice what="This error" error={error} onRetry={() => void refetch()} />}
      </div>
    );
  }
  if (issue.address !== digest) return <Navigate replace to={answerPath(issue, eventId, q)} />;
  if (occurrence.event != null && occurrence.event.project !== issue.project) {
    // The address is older than another project's issue of the same digest: the event tells the project.
    return <Navigate replace to={answerPath(occurrence.event, eventId, q)} />;
  }

  return (
    <article className={styles.answer}>
      <AnswerHead issue={issue} occurrence={occurrence} eventId={eventId} />
      {/* Stays mounted while another event loads: a step to that event scrolls and focuses here. */}
      <section aria-label="Occurrence" tabIndex={-1} data-landing>
        <Occurrence issue={issue} occurrence={occurrence} />
      </section>
      {issue.related.length > 0 && <RelatedIssues issue={issue} />}
      <Feedback issue={issue} />
      <EventsTable issue={issue} shownId={occurrence.id} />
    </article>
  );
}

/** Reads digest, project and event from the address. */
function namedBy({ digest = '' }: Params, search: URLSearchParams) {
  return { digest, project: search.get('project') || null, eventId: search.get('event') };
}

/** Requests the data of the page at this address. */
export function prefetchAnswer(client: QueryClient, params: Params, search: URLSearchParams): void {
  const { digest, project } = namedBy(params, search);
  prefetchIssue(client, digest, project);
}

/** `/console/e/:digest`: the answer page. The address also accepts an event ID or the start of a digest. */
export function AnswerPage() {
  const [search] = useSearchParams();
  const { digest, project, eventId } = namedBy(useParams(), search);
  usePageTitle(digest);

  return (
    <SessionGate asked={digest}>
      <Answer key={JSON.stringify([digest, project])} digest={digest} project={project} eventId={eventId} />
    </SessionGate>
  );
}
