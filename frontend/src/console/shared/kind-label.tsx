import type { IssueKind } from '@errata/backend/contract/event-api.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './issue-list.module.css';

/** Shows the source of an error as icon and word. */
export function KindLabel({ kind }: { readonly kind: IssueKind }) {
  return (
    <span className={styles.kind}>
      <Icon name={kind} />
      {kind}
    </span>
  );
}
