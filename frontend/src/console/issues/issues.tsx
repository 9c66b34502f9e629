import type { IssueList, IssueQuery } from '@errata/backend/contract/issues-api.ts';
import { useIssues } from '../../api/issues.ts';
import { Announcement } from '../../ui/announcement.tsx';
import { counted } from '../../ui/format/count.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ProblemNotice } from '../shared/problem-notice.tsx';
import { IssuePages } from './issue-pages.tsx';
import { IssueWork } from './issue-work.tsx';
import { NoIssues } from './empty-issues.tsx';
import styles from './issues.module.css';

function wordsFor({ issues, next }: IssueList, { cursor }: IssueQuery): string {
  if (issues.length === 0) return 'No issues';
  const count = counted(issues.length, 'issue', 'issues');
  return next === null && cursor === null ? count : `${count} on this page`;
}

/** One page of the list, and what can be done with it. */
export function Issues({ query }: { readonly query: IssueQuery }) {
  const { data, error, refetch, isPlaceholderData } = useIssues(query);
  return (
    <>
      <Announcement text={data === undefined || isPlaceholderData ? '' : wordsFor(data, query)} />
      {data === undefined && error === null && <Skeleton label="Loading the issues" lines={10} />}
      {data === undefined && error !== null && (
        <ProblemNotice what="The issues" error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && (
        <div className={styles.list} aria-busy={isPlaceholderData}>
          {/* Kept while the last row goes: it says what was done. */}
          <IssueWork query={query} issues={data.issues} />
          {data.issues.length === 0 && <NoIssues query={query} hidden={data.hidden ?? []} />}
          <IssuePages query={query} next={data.next} />
        </div>
      )}
    </>
  );
}
