import type { AuditEntry } from '@errata/backend/contract/access-api.ts';
import { Link } from 'react-router';
import { useAudit } from '../../api/access.ts';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TimeText } from '../../ui/format/time-text.tsx';
import { ListEnd } from '../shared/list-end.tsx';
import styles from './audit-log.module.css';
import { actionWords, targetPath } from './audit-words.ts';

function Target({ entry }: { readonly entry: AuditEntry }) {
  if (entry.target === null) return null;
  const path = targetPath(entry);
  return path === null ? <strong>{entry.target}</strong> : <Link to={path}>{entry.target}</Link>;
}

function Entry({ entry }: { readonly entry: AuditEntry }) {
  const { time, who, role, action, detail } = entry;
  return (
    <li className={styles.row}>
      <span className={styles.time}>
        <TimeText time={time} form="absolute" />
      </span>
      <p className={styles.words}>
        <span className={styles.who}>{who}</span> {actionWords(action)} <Target entry={entry} />
        {detail !== null && detail !== '' && <span className={styles.detail}> {detail}</span>}
      </p>
      <span className={styles.role}>{role}</span>
    </li>
  );
}

/** Who looked at what and who changed what, newest first. */
export function AuditLog() {
  const log = useAudit();
  const { data } = log;
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Section title="Audit log">
      {entries.length > 0 && (
        <ol className={styles.list} aria-label="Audit log">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      {data !== undefined && entries.length === 0 && (
        <p className={styles.none}>Nobody has looked anything up or changed anything yet.</p>
      )}
      <ListEnd list={log} what="The audit log" more="Show older">
        <Skeleton label="Loading the audit log" lines={5} />
      </ListEnd>
    </Section>
  );
}
