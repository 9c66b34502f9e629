import { type FormEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from './button.tsx';
import styles from './form.module.css';

interface ConfirmDialogProps {
  readonly title: string;
  /** Verb and object: "Discard 3 dead letters". */
  readonly action: string;
  /** False while something is missing, for example the typed word. */
  readonly canConfirm?: boolean;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  /** Also called by Escape. */
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** Asks before an action that cannot be undone. Open while it is mounted; the focus starts on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, action, canConfirm = true, isBusy, onConfirm, onCancel, children } = props;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  // Before the element is removed: only a closed dialog returns the focus.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);

  const cancel = (event: { preventDefault(): void }) => {
    // The caller decides whether the dialog is open.
    event.preventDefault();
    onCancel();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canConfirm && !isBusy) onConfirm();
  };

  return (
    <dialog className={styles.dialog} ref={dialog} aria-labelledby={id} onCancel={cancel}>
      <form className={styles.form} onSubmit={submit}>
        <h2 className={styles.title} id={id}>
          {title}
        </h2>
        {children}
        <div className={styles.choices}>
          <Button disabled={isBusy} onClick={onCancel}>
            Cancel
          </Button>
          <Button look="danger" type="submit" disabled={isBusy || !canConfirm}>
            {action}
          </Button>
        </div>
      </form>
    </dialog>
  );
}
