import { DEMO_SERVER_ERROR_PATH } from '@errata/backend/contract/routes.ts';
import { useRecentIssues } from '../../api/look-up.ts';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { IssueList } from '../issue-list.tsx';
import { ProblemNotice } from '../problem-notice.tsx';

function Rows({ hasDemo }: { readonly hasDemo: boolean }) {
  const { data, error, refetch } = useRecentIssues();
  if (data !== undefined && data.issues.length > 0) {
    return <IssueList issues={data.issues} label="Recent errors" />;
  }
  if (data !== undefined) {
    return (
      <Notice icon="empty" title="No errors yet">
        {hasDemo ? (
          <p>
            Make one: <a href={`${DEMO_SERVER_ERROR_PATH}?id=1`}>break the server</a>, then come back with the
            digest.
          </p>
        ) : (
          <p>The first one that happens in the browser or on the server stands here.</p>
        )}
      </Notice>
    );
  }
  if (error !== null) {
    return <ProblemNotice what="The recent errors" error={error} onRetry={() => void refetch()} />;
  }
  return <Skeleton label="Loading the recent errors" lines={6} />;
}

export function RecentIssues({ hasDemo }: { readonly hasDemo: boolean }) {
  return (
    <Section title="Recent errors">
      <Rows hasDemo={hasDemo} />
    </Section>
  );
}
