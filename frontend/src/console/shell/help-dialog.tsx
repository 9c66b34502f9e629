import { useEffect, useRef } from 'react';
import { Button } from '../../ui/form/button.tsx';
import styles from './menus.module.css';

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['/'], 'focus the find box'],
  [['j'], 'next in the list'],
  [['k'], 'previous in the list'],
  [['Enter'], 'open'],
  [['g', 'f'], 'go to Find'],
  [['g', 'i'], 'go to Issues'],
  [['g', 'l'], 'go to Live'],
  [['g', 'd'], 'go to Delivery'],
  [['?'], 'show this help'],
  [['Esc'], 'close or leave the find box'],
];

interface HelpDialogProps {
  readonly isOn: boolean;
  readonly onSwitch: (isOn: boolean) => void;
  readonly onClose: () => void;
}

/** Lists the shortcuts and turns them off. Mounted while it is open. */
export function HelpDialog({ isOn, onSwitch, onClose }: HelpDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);

  return (
    <dialog className={styles.dialog} ref={dialog} aria-labelledby="help-title" onClose={onClose}>
      <h2 className={styles.helpTitle} id="help-title">
        Keyboard shortcuts
      </h2>
      <dl className={styles.keys}>
        {KEYS.map(([keys, what]) => (
          <div key={what} className={styles.key}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className={styles.switch}>
        <input type="checkbox" checked={isOn} onChange={(event) => onSwitch(event.target.checked)} />
        Enable single-key shortcuts
      </label>
      <p className={styles.helpRemark}>
        A <strong>digest</strong> (<code>7KQ4-M2XD</code>) identifies an issue: it is the same for every
        occurrence. A <strong>reference</strong> identifies one event. Find accepts both, with any text around
        them.
      </p>
      <Button onClick={() => dialog.current?.close()}>Close</Button>
    </dialog>
  );
}
