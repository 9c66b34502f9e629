import type { Role } from '@errata/backend/contract/access-api.ts';
import { Badge } from '../../ui/badge.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './account-who.module.css';

interface AccountWhoProps {
  readonly who: string | null;
  readonly role: Role | null;
}

const MEANINGS: Readonly<Record<Role, string>> = {
  support: 'You find errors and read everything about them. Operators also change things.',
  operator: 'You find and read errors, set their status, send dead letters again or discard them, and erase.',
};

/** The head of the page: a name and what it may do. */
export function AccountWho({ who, role }: AccountWhoProps) {
  return (
    <div className={styles.who}>
      <span className={styles.sign}>
        <Icon name="person" />
      </span>
      <div className={styles.words}>
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
