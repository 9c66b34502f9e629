import { useSession } from '../../api/session.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ConsoleFrame } from '../shell/console-frame.tsx';
import { ProblemNotice } from '../shared/problem-notice.tsx';
import { SessionGate } from '../sign-in/session-gate.tsx';
import { AccountSessions } from './account-sessions.tsx';
import { AccountWho } from './account-who.tsx';
import styles from './account-page.module.css';
import { AuditLog } from './audit-log.tsx';
import { EraseForm } from './erase-form.tsx';
import { OperatorsOnly } from './operators-only.tsx';

function Account() {
  const { data, error, refetch } = useSession();
  if (data === undefined) {
    if (error === null) return <Skeleton label="Loading the account" lines={5} />;
    return <ProblemNotice what="The account" error={error} onRetry={() => void refetch()} />;
  }
  const { who, role } = data;
  return (
    <div className={styles.page}>
      <AccountWho who={who} role={role} />
      <AccountSessions isOperator={role === 'operator'} />
      {role === 'operator' ? (
        <>
          <AuditLog />
          <EraseForm />
        </>
      ) : (
        <OperatorsOnly />
      )}
    </div>
  );
}

/** Who I am here, where I am signed in; for operators who did what, and forgetting. */
export function AccountPage() {
  return (
    <ConsoleFrame title="Account" hasFindBox>
      <SessionGate asked={null}>
        <Account />
      </SessionGate>
    </ConsoleFrame>
  );
}
