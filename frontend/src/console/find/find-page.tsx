import { FIND_FILTERS } from '@errata/backend/contract/find-api.ts';
import { DEMO_SERVER_ERROR_PATH } from '@errata/backend/contract/routes.ts';
import { useNavigate, useSearchParams } from 'react-router';
import { atServer } from '../../api/base-path.ts';
import { ANY_ISSUE, useIssues } from '../../api/issues.ts';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { IssueList } from '../shared/issue-list.tsx';
import { ISSUES_PATH } from '../shared/paths.ts';
import { ProblemNotice } from '../shared/problem-notice.tsx';
import { SetupHint } from '../lists/setup-hint.tsx';
import { Trend } from '../lists/trend.tsx';
import { FindBox } from '../shared/find-box.tsx';
import { usePageTitle } from '../shell/console-frame.tsx';
import { SessionGate } from '../sign-in/session-gate.tsx';
import styles from './find-page.module.css';
import { FindExamples } from './find-examples.tsx';
import { FindHelp } from './find-help.tsx';
import { FindResults } from './find-results.tsx';

/** Issues on the first page; the issues page has the full list and filters. */
const SHOWN = 12;

interface FindRowsProps {
  readonly recent: ReturnType<typeof useIssues>;
  readonly hasDemo: boolean;
}

function Rows({ recent, hasDemo }: FindRowsProps) {
  const { data, error, refetch } = recent;
  if (data === undefined) {
    if (error === null) return <Skeleton label="Loading the recent errors" lines={6} />;
    return <ProblemNotice what="The recent errors" error={error} onRetry={() => void refetch()} />;
  }
  if (data.issues.length > 0) {
    return (
      <>
        <IssueList issues={data.issues.slice(0, SHOWN)} label="Recent errors" />
        <p className={styles.more}>
          <Link to={ISSUES_PATH}>All issues</Link>
        </p>
      </>
    );
  }
  return (
    <Notice icon="done" title="No open errors">
      {hasDemo ? (
        <p>
          Create one: <a href={atServer(`${DEMO_SERVER_ERROR_PATH}?id=1`)}>break the server</a>, then paste
          its digest here.
        </p>
      ) : (
        <p>New browser and server errors appear here automatically.</p>
      )}
      <p>
        Resolved and ignored issues are under <Link to={`${ISSUES_PATH}?status=all`}>All issues</Link>.
      </p>
      <SetupHint />
    </Notice>
  );
}

function RecentIssues({ hasDemo }: { readonly hasDemo: boolean }) {
  const recent = useIssues(ANY_ISSUE);
  const navigate = useNavigate();
  return (
    <>
      <Trend
        project=""
        onChoose={(term) => void navigate(`${ISSUES_PATH}?${new URLSearchParams({ q: term }).toString()}`)}
      />
      <Section title="Recent errors" remark="Open issues, last 24 hours">
        <Rows recent={recent} hasDemo={hasDemo} />
      </Section>
    </>
  );
}

/** The first page of the console: find box and recent errors. The address holds the search. */
export function FindPage({ hasDemo }: { readonly hasDemo: boolean }) {
  const [parameters] = useSearchParams();
  const text = (parameters.get('q') ?? '').trim();
  usePageTitle(text === '' ? 'Find an error' : text);

  return (
    <SessionGate asked={text === '' ? null : text}>
      <div className={styles.page}>
        <div className={styles.ask}>
          <h1 className={styles.title}>Find the cause of an error</h1>
          <FindBox size="large" text={text} />
          <FindExamples label="Or search:" kinds={FIND_FILTERS} />
          {text === '' && (
            <details className={styles.help}>
              <summary>What Find reads</summary>
              <FindHelp />
            </details>
          )}
        </div>
        {text === '' ? <RecentIssues hasDemo={hasDemo} /> : <FindResults text={text} />}
      </div>
    </SessionGate>
  );
}
