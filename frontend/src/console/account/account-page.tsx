import type { Role } from '@errata/backend/contract/access-api.ts';
import { useSession } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ProblemNotice } from '../shared/problem-notice.tsx';
import { usePageTitle } from '../shell/console-frame.tsx';
import { SessionGate } from '../sign-in/session-gate.tsx';
import styles from './account-page.module.css';
import { AccountSessions } from './account-sessions.tsx';
import { AuditLog } from './audit-log.tsx';
import { EraseForm } from './erase-form.tsx';

interface AccountHeadProps {
  readonly who: string | null;
  readonly role: Role | null;
}

const MEANINGS: Readonly<Record<Role, string>> = {
  support: 'Can view errors. Operators can also change them.',
  operator: 'Can view errors, change status, manage dead letters and erase data.',
};

/** Shows name and role of the user. */
function AccountHead({ who, role }: AccountHeadProps) {
  return (
    <div className={styles.who}>
      <span className={styles.sign}>
        <Icon name="person" />
      </span>
      <div className={styles.text}>
        <h1 className={styles.title}>{who ?? 'Your account'}</h1>
        {role !== null && (
          <>
            <Badge tone={role === 'operator' ? 'accent' : 'plain'}>{role}</Badge>
            <p className={styles.meaning}>{MEANINGS[role]}</p>
          </>
        )}
      </div>
    </div>
  );
}

/** Tells support which parts need an operator. */
function OperatorsOnly() {
  return (
    <Notice icon="closed" title="Audit log and erasure are for operators">
      <p>You are signed in as support. Ask an operator to erase data or to read the audit log.</p>
    </Notice>
  );
}

function Account() {
  const { data, error, refetch } = useSession();
  if (data === undefined) {
    if (error === null) return <Skeleton label="Loading the account" lines={5} />;
    return <ProblemNotice what="The account" error={error} onRetry={() => void refetch()} />;
  }
  const { who, role } = data;
  return (
    <div className={styles.page}>
      <AccountHead who={who} role={role} />
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

/** Shows role and sessions of the user; for operators also the audit log and the erasure form. */
export function AccountPage() {
  usePageTitle('Account');
  return (
    <SessionGate asked={null}>
      <Account />
    </SessionGate>
  );
}
