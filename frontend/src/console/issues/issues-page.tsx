import { type IssueList, type IssueQuery, STATUS_FILTERS } from '@errata/backend/contract/issues-api.ts';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { useFeedback, useIssues } from '../../api/issues.ts';
import { Announcement } from '../../ui/announcement.tsx';
import { buttonClass } from '../../ui/form/button-class.ts';
import { counted } from '../../ui/format/count.ts';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Trend } from '../lists/trend.tsx';
import { FeedbackItems } from '../shared/feedback-items.tsx';
import { ListEnd } from '../shared/list-end.tsx';
import { withTime } from '../shared/search-terms.ts';
import { ProblemNotice } from '../shared/problem-notice.tsx';
import { UnknownWordsNotice } from '../lists/unknown-words-notice.tsx';
import { usePageTitle } from '../shell/console-frame.tsx';
import { SessionGate } from '../sign-in/session-gate.tsx';
import { EmptyIssues } from './empty-issues.tsx';
import { IssueFilters } from './issue-filters.tsx';
import {
  isFeedbackPath,
  FEEDBACK_PATH,
  issueCount,
  issuesPath,
  readCursors,
  readIssueQuery,
} from './issue-query.ts';
import { IssueWork } from './issue-work.tsx';
import styles from './issues-page.module.css';

interface IssuePagesProps {
  readonly query: IssueQuery;
  readonly next: string | null;
  /** Number of issues on all pages, where the server counts them. */
  readonly total: number;
}

/**
 * Links to the first, the previous and the next page, beside the total. A page starts after a row, so new issues do not
 * shift it. The history entry keeps the cursors of the pages before, since a cursor leads forward only.
 */
function IssuePages({ query, next, total }: IssuePagesProps) {
  const { state } = useLocation();
  const before = readCursors(state);
  const previous = before.at(-1);
  return (
    <nav className={styles.pages} aria-label="Pages">
      {query.cursor !== null && (
        <Link className={buttonClass('plain')} to={issuesPath(query)}>
          ‹ First page
        </Link>
      )}
      {query.cursor !== null && previous !== undefined && (
        <Link
          className={buttonClass('plain')}
          to={issuesPath(query, { cursor: previous })}
          state={{ cursors: before.slice(0, -1) }}
        >
          ‹ Previous page
        </Link>
      )}
      {next !== null && (
        <Link
          className={buttonClass('plain')}
          to={issuesPath(query, { cursor: next })}
          state={{ cursors: query.cursor === null ? [null] : [...before, query.cursor] }}
        >
          Next page ›
        </Link>
      )}
      {total > 0 && <p className={styles.total}>{issueCount(total)}</p>}
    </nav>
  );
}

interface IssueTabsProps {
  readonly query: IssueQuery;
  readonly isFeedback: boolean;
}

const LABELS: Readonly<Record<IssueQuery['status'], string>> = {
  open: 'Open',
  resolved: 'Resolved',
  ignored: 'Ignored',
  all: 'All',
};

/** Tabs for the statuses and for unlinked feedback. */
function IssueTabs({ query, isFeedback }: IssueTabsProps) {
  return (
    <nav aria-label="Status">
      <ul className={styles.tabs}>
        {STATUS_FILTERS.map((status) => (
          <li key={status}>
            <Link
              className={styles.tab}
              to={issuesPath(query, { status })}
              aria-current={!isFeedback && query.status === status ? 'page' : undefined}
            >
              {LABELS[status]}
            </Link>
          </li>
        ))}
        <li className={styles.apart}>
          <Link className={styles.tab} to={FEEDBACK_PATH} aria-current={isFeedback ? 'page' : undefined}>
            Feedback
          </Link>
        </li>
      </ul>
    </nav>
  );
}

function labelFor({ issues, next }: IssueList, { cursor }: IssueQuery): string {
  if (issues.length === 0) return 'No issues';
  const count = counted(issues.length, 'issue', 'issues');
  return next === null && cursor === null ? count : `${count} on this page`;
}

/** Shows one page of the list and its actions. */
function Issues({ query }: { readonly query: IssueQuery }) {
  const { data, error, refetch, isPlaceholderData } = useIssues(query);
  return (
    <>
      <Announcement text={data === undefined || isPlaceholderData ? '' : labelFor(data, query)} />
      {data === undefined && error === null && <Skeleton label="Loading the issues" lines={10} />}
      {data === undefined && error !== null && (
        <ProblemNotice what="The issues" error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && (
        <div className={styles.list} aria-busy={isPlaceholderData}>
          {/* Stays mounted when the last row disappears, to show the result of the action. */}
          <IssueWork query={query} issues={data.issues} />
          <UnknownWordsNotice words={data.unknownWords} />
          {data.issues.length === 0 && <EmptyIssues query={query} hidden={data.hidden ?? []} />}
          <IssuePages query={query} next={data.next} total={data.total} />
        </div>
      )}
    </>
  );
}

/** Lists feedback that belongs to no issue: without an event, or with an event that never arrived. */
function UnlinkedFeedback() {
  const list = useFeedback();
  const { data, error, refetch } = list;
  const entries = data?.pages.flatMap((page) => page.feedback) ?? [];
  if (data === undefined) {
    if (error === null) return <Skeleton label="Loading the feedback" lines={6} />;
    return <ProblemNotice what="The feedback" error={error} onRetry={() => void refetch()} />;
  }
  if (entries.length === 0) {
    return (
      <Notice icon="feedback" title="No unlinked feedback">
        <p>Feedback on an error is on that error’s page.</p>
      </Notice>
    );
  }
  return (
    <Section title="Feedback not linked to an error">
      <FeedbackItems entries={entries} />
      <ListEnd list={list} what="More feedback" more="Show more" />
    </Section>
  );
}

/** `/console/issues`: issues by status. The address holds every filter. */
export function IssuesPage() {
  const [parameters] = useSearchParams();
  const query = readIssueQuery(parameters);
  const isFeedback = isFeedbackPath(parameters);
  const navigate = useNavigate();
  usePageTitle('Issues');

  return (
    <SessionGate asked={null}>
      <div className={styles.page}>
        <div className={styles.top}>
          <h1 className={styles.title}>Issues</h1>
          <Trend
            project={query.project}
            onChoose={(term) => void navigate(issuesPath(query, { q: withTime(query.q, term) }))}
          />
          <IssueTabs query={query} isFeedback={isFeedback} />
        </div>
        {isFeedback ? (
          <UnlinkedFeedback />
        ) : (
          <>
            <IssueFilters query={query} />
            <Issues query={query} />
          </>
        )}
      </div>
    </SessionGate>
  );
}
