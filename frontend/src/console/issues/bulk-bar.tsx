import type { IssueSummary } from '@errata/backend/contract/issues-api.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { StatusMenu, type StatusChoice } from '../status-menu.tsx';
import styles from './bulk-bar.module.css';
import type { Selection } from './use-selection.ts';

interface BulkBarProps {
  readonly selection: Selection;
  readonly issues: readonly IssueSummary[];
  readonly isPending: boolean;
  readonly onChoose: StatusChoice;
}

/** What is done with the ticked ones. It stays in sight however far down the last tick was. */
export function BulkBar({ selection, issues, isPending, onChoose }: BulkBarProps) {
  const release = issues.find(({ key }) => selection.has(key))?.release ?? null;
  return (
    <section className={styles.bar} aria-label="Ticked issues">
      <strong>{selection.keys.length} ticked</strong>
      <Button look="quiet" onClick={selection.none}>
        Untick all
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
