import type { IssueQuery } from '@errata/backend/contract/issues-api.ts';
import { Link } from 'react-router';
import { FEEDBACK_PATH, STATUSES, issuesPath } from './issue-query.ts';
import styles from './issue-tabs.module.css';

interface IssueTabsProps {
  readonly query: IssueQuery;
  readonly isFeedback: boolean;
}

const WORDS: Readonly<Record<IssueQuery['status'], string>> = {
  open: 'Open',
  resolved: 'Resolved',
  ignored: 'Ignored',
  all: 'All',
};

/** What is to be done, and what people wrote without an event to it. */
export function IssueTabs({ query, isFeedback }: IssueTabsProps) {
  return (
    <nav aria-label="Status">
      <ul className={styles.tabs}>
        {STATUSES.map((status) => (
          <li key={status}>
            <Link
              className={styles.tab}
              to={issuesPath(query, { status })}
              aria-current={!isFeedback && query.status === status ? 'page' : undefined}
            >
              {WORDS[status]}
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
