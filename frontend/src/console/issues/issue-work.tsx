import type { IssueQuery, IssueStatus, IssueSummary } from '@errata/backend/contract/issues-api.ts';
import { useRef } from 'react';
import { useSetStatus } from '../../api/issues.ts';
import { useIsOperator } from '../../api/session.ts';
import { counted } from '../../ui/format/count.ts';
import { BulkBar } from './bulk-bar.tsx';
import { IssueTable } from './issue-table.tsx';
import styles from './issue-work.module.css';
import { useSelection } from './use-selection.ts';

interface IssueWorkProps {
  readonly query: IssueQuery;
  readonly issues: readonly IssueSummary[];
}

const DONE: Readonly<Record<IssueStatus, string>> = {
  open: 'reopened',
  resolved: 'resolved',
  ignored: 'ignored',
};

/** The table, and for operators the ticks and what is done with the ticked. */
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
          // The button that had the focus goes with the selection.
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
        {isError && 'Nothing was changed: the server did not take it. Try again.'}
      </output>
      {issues.length > 0 && (
        <IssueTable query={query} issues={issues} selection={isOperator ? selection : null} />
      )}
    </>
  );
}
