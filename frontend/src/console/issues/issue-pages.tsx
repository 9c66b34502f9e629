import type { IssueQuery } from '@errata/backend/contract/issues-api.ts';
import { Link } from 'react-router';
import { buttonClass } from '../../ui/form/button-class.ts';
import styles from './issue-pages.module.css';
import { issuesPath } from './issue-query.ts';

interface IssuePagesProps {
  readonly query: IssueQuery;
  readonly next: string | null;
}

/** Forward by a link, back by the browser: a page begins behind a row, whatever comes in meanwhile. */
export function IssuePages({ query, next }: IssuePagesProps) {
  if (next === null && query.cursor === null) return null;
  return (
    <nav className={styles.pages} aria-label="Pages">
      {query.cursor !== null && (
        <Link className={buttonClass('plain')} to={issuesPath(query)}>
          ‹ First page
        </Link>
      )}
      {next !== null && (
        <Link className={buttonClass('plain')} to={issuesPath(query, { cursor: next })}>
          Next page ›
        </Link>
      )}
    </nav>
  );
}
