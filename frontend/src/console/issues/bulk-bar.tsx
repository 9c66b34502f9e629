import { Button } from '../../ui/form/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { StatusMenu, type StatusChoice } from '../shared/status-menu.tsx';
import styles from './bulk-bar.module.css';
import type { Selection } from './use-selection.ts';

interface BulkBarProps {
  readonly selection: Selection;
  readonly isPending: boolean;
  readonly onChoose: StatusChoice;
}

/** What is done with the ticked ones. It stays in sight however far down the last tick was. */
export function BulkBar({ selection, isPending, onChoose }: BulkBarProps) {
  const release = selection.issues[0]?.release ?? null;
  return (
    <section className={styles.bar} aria-label="Ticked issues">
      <strong>{selection.issues.length} ticked</strong>
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
