import type { HiddenByFilter, IssueQuery } from '@errata/backend/contract/issues-api.ts';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { projectName } from '@errata/backend/contract/project-name.ts';
import { SetupHint } from '../lists/setup-hint.tsx';
import { issueCount, issuesPath } from './issue-query.ts';

interface EmptyIssuesProps {
  readonly query: IssueQuery;
  readonly hidden: readonly HiddenByFilter[];
}

const WITHOUT: Readonly<Record<HiddenByFilter['filter'], Partial<IssueQuery>>> = {
  q: { q: '' },
  status: { status: 'all' },
  kind: { kind: 'all' },
  project: { project: '' },
};

const WITHOUT_ALL: Partial<IssueQuery> = Object.assign({}, ...Object.values(WITHOUT));

function hasFilters({ q, kind, project }: IssueQuery): boolean {
  return q !== '' || kind !== 'all' || project !== '';
}

function labelFor(filter: HiddenByFilter['filter'], query: IssueQuery): string {
  switch (filter) {
    case 'q':
      return `the text “${query.q}”`;
    case 'status':
      return `the status “${query.status}”`;
    case 'kind':
      return `the source “${query.kind}”`;
    case 'project':
      return `the project “${projectName(query.project)}”`;
  }
}

function NoIssues() {
  return (
    <Notice icon="done" title="No issues">
      <p>No errors recorded yet. New errors appear here automatically.</p>
      <SetupHint />
    </Notice>
  );
}

/** Explains an empty list: names the filter that hides issues, and links to the list without it. */
export function EmptyIssues({ query, hidden }: EmptyIssuesProps) {
  if (query.cursor !== null) {
    return (
      <Notice icon="empty" title="This page is empty">
        <p>
          The issues moved to another page. <Link to={issuesPath(query)}>Back to the first page</Link>
        </p>
      </Notice>
    );
  }
  if (hidden.length === 0 && hasFilters(query)) {
    return (
      <Notice icon="empty" title="No matching issues">
        <p>
          No matching issues, even with any one filter removed.{' '}
          <Link to={issuesPath(query, WITHOUT_ALL)}>Show all issues</Link>
        </p>
      </Notice>
    );
  }
  if (hidden.length === 0) return <NoIssues />;
  return (
    <Notice icon="empty" title="No matching issues">
      <ul>
        {hidden.map(({ filter, issues }) => (
          <li key={filter}>
            Without {labelFor(filter, query)}:{' '}
            <Link to={issuesPath(query, WITHOUT[filter])}>{issueCount(issues)}</Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
