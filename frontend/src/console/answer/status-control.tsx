import { ISSUE_STATUSES, type IssueAnswer, type IssueStatus } from '@errata/backend/contract/issues-api.ts';
import { useSetStatus } from '../../api/issues.ts';
import { useIsOperator } from '../../api/session.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { StatusMenu } from '../shared/status-menu.tsx';
import styles from './answer-page.module.css';

const ICONS: Readonly<Record<IssueStatus, IconName>> = { open: 'open', resolved: 'done', ignored: 'muted' };

function labelFor({ status, resolvedIn }: IssueAnswer): string {
  if (status === 'resolved') return resolvedIn === null ? 'Resolved' : `Resolved in ${resolvedIn}`;
  return status === 'open' ? 'Open' : 'Ignored';
}

/** Shows the status of the issue; operators can change it. */
export function StatusControl({ issue }: { readonly issue: IssueAnswer }) {
  const isOperator = useIsOperator();
  const { mutate, isError, isSuccess } = useSetStatus();

  const state = (
    <>
      <Icon name={ICONS[issue.status]} />
      <span className={styles.text}>{labelFor(issue)}</span>
    </>
  );
  if (!isOperator) {
    return (
      <span className={styles.state} title="Only operators can change the status">
        {state}
      </span>
    );
  }
  return (
    <>
      <StatusMenu
        button={
          <>
            {state}
            <Icon name="down" />
          </>
        }
        offered={ISSUE_STATUSES.filter((status) => status !== issue.status)}
        release={issue.release}
        onChoose={(status, resolvedIn) => mutate({ issues: [issue], status, resolvedIn })}
      />
      <output className={styles.said}>
        {isSuccess && `Now: ${labelFor(issue)}`}
        {isError && 'The status could not be changed. Try again.'}
      </output>
    </>
  );
}
