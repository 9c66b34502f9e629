import type { IssueQuery, IssueSummary } from '@errata/backend/contract/issues-api.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { IssueHeadings } from './issue-headings.tsx';
import { issuesPath } from './issue-query.ts';
import { IssueRow } from './issue-row.tsx';
import styles from './issue-table.module.css';
import { rowKey, type Selection } from './use-selection.ts';

interface IssueTableProps {
  readonly query: IssueQuery;
  readonly issues: readonly IssueSummary[];
  /** null where nothing can be ticked. */
  readonly selection: Selection | null;
}

/** Issues with their numbers; the headings sort. */
export function IssueTable({ query, issues, selection }: IssueTableProps) {
  const hasProjects = new Set(issues.map(({ project }) => project)).size > 1;
  return (
    <table className={styles.table} tabIndex={-1} data-landing>
      <caption className={styles.caption}>
        <VisuallyHidden>
          {query.status === 'all' ? 'All issues' : `Issues, ${query.status}`}; headings that are links sort
        </VisuallyHidden>
      </caption>
      <IssueHeadings query={query} selection={selection} count={issues.length} />
      <tbody>
        {issues.map((issue) => (
          <IssueRow
            key={rowKey(issue)}
            issue={issue}
            selection={selection}
            projectPath={hasProjects ? issuesPath(query, { project: issue.project }) : null}
          />
        ))}
      </tbody>
    </table>
  );
}
