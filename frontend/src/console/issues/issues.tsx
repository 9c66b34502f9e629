import type { IssueQuery } from '@errata/backend/contract/issues-api.ts';
import { useIssues } from '../../api/issues.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ProblemNotice } from '../problem-notice.tsx';
import { IssuePages } from './issue-pages.tsx';
import { IssueWork } from './issue-work.tsx';
import { NoIssues } from './no-issues.tsx';
import styles from './issues.module.css';

/** One page of the list, and what can be done with it. */
export function Issues({ query }: { readonly query: IssueQuery }) {
  const { data, error, refetch, isPlaceholderData } = useIssues(query);
  if (data === undefined) {
    if (error === null) return <Skeleton label="Loading the issues" lines={10} />;
    return <ProblemNotice what="The issues" error={error} onRetry={() => void refetch()} />;
  }
  return (
    <div className={styles.list} aria-busy={isPlaceholderData}>
      {/* Kept while the last row goes: it says what was done. */}
      <IssueWork query={query} issues={data.issues} />
      {data.issues.length === 0 && <NoIssues query={query} hidden={data.hidden ?? []} />}
      <IssuePages query={query} next={data.next} />
    </div>
  );
}
