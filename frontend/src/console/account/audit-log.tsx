import type { AuditEntry } from '@errata/backend/contract/access-api.ts';
import { useAudit } from '../../api/access.ts';
import { TimeText } from '../../ui/format/time-text.tsx';
import { Link } from '../../ui/link.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ListEnd } from '../shared/list-end.tsx';
import { ownLabel } from '../../ui/format/own-label.ts';
import { eventPath, findPath } from '../shared/paths.ts';
import styles from './account-page.module.css';

const ACTIONS: Readonly<Record<AuditEntry['action'], string>> = {
  sign_in: 'signed in',
  sign_in_refused: 'was refused access',
  sign_out: 'signed out',
  find: 'looked for',
  read: 'read',
  download: 'downloaded',
  set_status: 'set the status of',
  note: 'added a note to',
  page_line: 'set the line on the error pages of',
  retry: 'tried the failing destinations',
  redrive: 'sent dead letters again:',
  discard: 'discarded dead letters:',
  discard_waiting: 'discarded the envelopes that wait for',
  test_alert: 'tested the alerts of',
  erase: 'erased',
  revoke: 'revoked the session of',
};

/**
 * Returns the verb of an entry, for the middle of a sentence: "ann looked up 7KQ4-M2XD". An unknown action is shown by
 * its name.
 */
export function actionLabel(action: string): string {
  return ownLabel(ACTIONS, action) ?? action.replaceAll('_', ' ');
}

/** Actions whose target is a digest or an event ID that the answer page accepts. */
const ON_AN_ERROR: ReadonlySet<string> = new Set(['read', 'download', 'set_status', 'note', 'page_line']);
/** A digest, or the 32 hex characters of an event ID; bulk actions name several targets. */
const ONE_ID = /^[A-Za-z0-9_-]{4,64}$/;

/** Returns the path of the target's page, or null. */
export function targetPath({ action, target }: Pick<AuditEntry, 'action' | 'target'>): string | null {
  if (target === null) return null;
  if (action === 'find') return findPath(target);
  return ON_AN_ERROR.has(action) && ONE_ID.test(target) ? eventPath(target) : null;
}

function Target({ entry }: { readonly entry: AuditEntry }) {
  if (entry.target === null) return null;
  const path = targetPath(entry);
  return path === null ? <strong>{entry.target}</strong> : <Link to={path}>{entry.target}</Link>;
}

function Entry({ entry }: { readonly entry: AuditEntry }) {
  const { time, who, role, action, detail } = entry;
  return (
    <li className={styles.auditRow}>
      <span className={styles.time}>
        <TimeText time={time} form="absolute" />
      </span>
      <p className={styles.auditText}>
        <span className={styles.auditWho}>{who}</span> {actionLabel(action)} <Target entry={entry} />
        {detail !== null && detail !== '' && <span className={styles.detail}> {detail}</span>}
      </p>
      <span className={styles.role}>{role ?? 'no role'}</span>
    </li>
  );
}

/** Lists reads and changes, newest first. */
export function AuditLog() {
  const log = useAudit();
  const { data } = log;
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Section title="Audit log">
      {entries.length > 0 && (
        <ol className={styles.auditList} aria-label="Audit log">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
      {data !== undefined && entries.length === 0 && <p className={styles.none}>No entries yet.</p>}
      <ListEnd list={log} what="The audit log" more="Show older">
        <Skeleton label="Loading the audit log" lines={5} />
      </ListEnd>
    </Section>
  );
}
