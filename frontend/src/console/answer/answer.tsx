import { Navigate } from 'react-router';
import { hasStatus } from '../../api/api-error.ts';
import { useIssue } from '../../api/look-up.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { FindResults } from '../find/find-results.tsx';
import { answerPath } from '../shared/paths.ts';
import { ProblemNotice } from '../shared/problem-notice.tsx';
import { AnswerHead } from './answer-head.tsx';
import styles from './answer.module.css';
import { Feedback } from './feedback.tsx';
import { Occurrence } from './occurrence.tsx';
import { Occurrences } from './occurrences.tsx';
import { RelatedIssues } from './related-issues.tsx';
import { useOccurrence } from './use-occurrence.ts';

interface AnswerProps {
  readonly digest: string;
  /** Canonical DSN of the one that is meant, or null for the one seen last. */
  readonly project: string | null;
  /** The occurrence the address names, or null for the newest. */
  readonly eventId: string | null;
}

export function Answer({ digest, project, eventId }: AnswerProps) {
  const { data: issue, error, refetch } = useIssue(digest, project);
  const occurrence = useOccurrence(issue, eventId, project);
  if (issue === undefined) {
    return (
      <div className={styles.waiting}>
        <h1 className={styles.digest}>{digest}</h1>
        {error === null && <Skeleton label="Loading the answer" lines={9} />}
        {/* Not a digest as it is kept, but perhaps an event id, the start of one, or a slip of the pen. */}
        {hasStatus(error, 404) && <FindResults text={digest} />}
        {error !== null && !hasStatus(error, 404) && (
          <ProblemNotice what="This error" error={error} onRetry={() => void refetch()} />
        )}
      </div>
    );
  }
  if (issue.digest !== digest) return <Navigate replace to={answerPath(issue, eventId)} />;
  if (occurrence.event != null && occurrence.event.project !== issue.project) {
    // An address from before another project had the digest too: the event says whose page is meant.
    const meant = { ...issue, project: occurrence.event.project, isShared: true };
    return <Navigate replace to={answerPath(meant, eventId)} />;
  }

  return (
    <article className={styles.answer}>
      <AnswerHead issue={issue} occurrence={occurrence} eventId={eventId} />
      {/* Stays while the next occurrence is loaded: a step to it lands here. */}
      <section aria-label="Occurrence" tabIndex={-1} data-landing>
        <Occurrence issue={issue} occurrence={occurrence} />
      </section>
      {issue.related.length > 0 && <RelatedIssues issue={issue} />}
      <Feedback issue={issue} />
      <Occurrences issue={issue} eventId={occurrence.id} />
    </article>
  );
}
