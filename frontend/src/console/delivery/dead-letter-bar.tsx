import { useState } from 'react';
import { useIsOperator, useSession } from '../../api/session.ts';
import { Button } from '../../ui/form/button.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';
import styles from './dead-letters.module.css';
import type { Choice } from './use-choice.ts';
import { type DeadLetterActions, letterCount } from './use-dead-letter-actions.ts';

interface DeadLetterBarProps {
  readonly choice: Choice;
  readonly actions: DeadLetterActions;
}

function ChooseAll({ choice }: { readonly choice: Choice }) {
  const { ids, isAll, toggleAll } = choice;
  return (
    <label className={styles.all}>
      <input
        className={styles.tick}
        type="checkbox"
        checked={isAll}
        ref={(box) => {
          if (box !== null) box.indeterminate = ids.size > 0 && !isAll;
        }}
        onChange={toggleAll}
      />
      {ids.size === 0 ? 'Select all' : `${ids.size} selected`}
    </label>
  );
}

/** Sends or discards the selected dead letters; for operators only. */
export function DeadLetterBar({ choice, actions }: DeadLetterBarProps) {
  const isOperator = useIsOperator();
  const isSupport = useSession().data?.role === 'support';
  const { sendable, isBusy, redrive, discard } = actions;
  const [isAsking, setIsAsking] = useState(false);
  const canAct = isOperator && !isBusy;
  const close = () => setIsAsking(false);
  const chosen = letterCount(choice.ids.size);

  return (
    <div className={styles.bar}>
      <ChooseAll choice={choice} />
      <Button disabled={!canAct || sendable.length === 0} onClick={redrive}>
        Send again
      </Button>
      <Button disabled={!canAct || choice.ids.size === 0} onClick={() => setIsAsking(true)}>
        Discard…
      </Button>
      {isSupport && <p className={styles.why}>Only operators can send again or discard.</p>}
      {isAsking && (
        <ConfirmDialog
          title={`Discard ${chosen}?`}
          action={`Discard ${chosen}`}
          isBusy={isBusy}
          onConfirm={() => discard(close)}
          onCancel={close}
        >
          <p>This cannot be undone. The upstream will not receive them. The local store keeps its copy.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
