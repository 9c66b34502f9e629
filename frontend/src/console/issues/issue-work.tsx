import type { IssueQuery, IssueStatus, IssueSummary } from '@errata/backend/contract/issues-api.ts';
import { useRef } from 'react';
import { useSetStatus } from '../../api/issues.ts';
import { useIsOperator } from '../../api/session.ts';
import { Button } from '../../ui/form/button.tsx';
import { counted } from '../../ui/format/count.ts';
import { Icon } from '../../ui/icon.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import frames from '../shared/shared.module.css';
import { type StatusChoice, StatusMenu } from '../shared/status-menu.tsx';
import { IssueHeadings } from './issue-headings.tsx';
import { issuesPath } from './issue-query.ts';
import { IssueRow } from './issue-row.tsx';
import tables from './issue-table.module.css';
import styles from './issue-work.module.css';
import { rowKey, type Selection, useSelection } from './use-selection.ts';

interface BulkBarProps {
  readonly selection: Selection;
  readonly isPending: boolean;
  readonly onChoose: StatusChoice;
}

/** Actions on the selected issues. The bar stays visible while scrolling. */
function BulkBar({ selection, isPending, onChoose }: BulkBarProps) {
  const release = selection.issues[0]?.release ?? null;
  return (
    <section className={styles.bar} aria-label="Selected issues">
      <strong>{selection.issues.length} selected</strong>
      <Button look="quiet" onClick={selection.none}>
        Clear selection
      </Button>
      <Button disabled={isPending} onClick={() => onChoose('resolved', null)}>
        <Icon name="done" />
        Resolve
      </Button>
      <Button disabled={isPending} onClick={() => onChoose('ignored', null)}>
        <Icon name="muted" />
        Ignore
      </Button>
      <StatusMenu
        button={
          <>
            More <Icon name="down" />
          </>
        }
        offered={['open']}
        release={release}
        onChoose={onChoose}
      />
    </section>
  );
}

interface IssueTableProps {
  readonly query: IssueQuery;
  readonly issues: readonly IssueSummary[];
  /** null where issues cannot be selected. */
  readonly selection: Selection | null;
}

/** Lists issues with their counts; the headings sort. */
function IssueTable({ query, issues, selection }: IssueTableProps) {
  const hasProjects = new Set(issues.map(({ project }) => project)).size > 1;
  return (
    <table className={`${frames.table} ${tables.table}`} tabIndex={-1} data-landing>
      <caption className={tables.caption}>
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

interface IssueWorkProps {
  readonly query: IssueQuery;
  readonly issues: readonly IssueSummary[];
}

const DONE: Readonly<Record<IssueStatus, string>> = {
  open: 'reopened',
  resolved: 'resolved',
  ignored: 'ignored',
};

/** Shows the table; operators can select issues and change their status. */
export function IssueWork({ query, issues }: IssueWorkProps) {
  const isOperator = useIsOperator();
  const selection = useSelection(issues);
  const { mutate, isPending, isError, data, variables } = useSetStatus();
  const said = useRef<HTMLOutputElement>(null);

  const setStatus = (status: IssueStatus, resolvedIn: string | null) =>
    mutate(
      { issues: selection.issues, status, resolvedIn },
      {
        onSuccess: () => {
          selection.none();
          // The focused button disappears with the selection.
          said.current?.focus();
        },
      },
    );

  return (
    <>
      {selection.issues.length > 0 && isOperator && (
        <BulkBar selection={selection} isPending={isPending} onChoose={setStatus} />
      )}
      <output className={styles.said} ref={said} tabIndex={-1}>
        {data !== undefined &&
          variables !== undefined &&
          `${counted(data.changed, 'issue', 'issues')} ${DONE[variables.status]}.`}
        {isError && 'The change failed. Try again.'}
      </output>
      {issues.length > 0 && (
        <IssueTable query={query} issues={issues} selection={isOperator ? selection : null} />
      )}
    </>
  );
}
