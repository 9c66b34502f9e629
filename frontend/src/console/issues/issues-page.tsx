import { useSearchParams } from 'react-router';
import { ConsoleFrame } from '../shell/console-frame.tsx';
import { SessionGate } from '../sign-in/session-gate.tsx';
import { IssueFilters } from './issue-filters.tsx';
import { asksForFeedback, readIssueQuery } from './issue-query.ts';
import { IssueTabs } from './issue-tabs.tsx';
import styles from './issues-page.module.css';
import { Issues } from './issues.tsx';
import { LooseFeedback } from './loose-feedback.tsx';

/** `/console/issues`: what failed, by what is to be done about it. The address holds every filter. */
export function IssuesPage() {
  const [parameters] = useSearchParams();
  const query = readIssueQuery(parameters);
  const isFeedback = asksForFeedback(parameters);

  return (
    <ConsoleFrame title="Issues" hasFindBox>
      <SessionGate asked={null}>
        <div className={styles.page}>
          <h1 className={styles.title}>Issues</h1>
          <IssueTabs query={query} isFeedback={isFeedback} />
          {isFeedback ? (
            <LooseFeedback />
          ) : (
            <>
              <IssueFilters query={query} />
              <Issues query={query} />
            </>
          )}
        </div>
      </SessionGate>
    </ConsoleFrame>
  );
}
