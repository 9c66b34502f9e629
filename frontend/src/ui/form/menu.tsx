import { createContext, type ReactNode, useContext, useId } from 'react';
import { buttonClass, type ButtonLook } from './button-class.ts';
import styles from './form.module.css';

const MenuId = createContext<string | undefined>(undefined);

interface MenuProps {
  /** What the button shows; a word must be in it, if only for a screen reader. */
  readonly button: ReactNode;
  readonly look?: ButtonLook;
  readonly children: ReactNode;
}

/**
 * A button and what it opens. The browser does the rest: one open at a time, Escape and a click beside it close, the
 * focus goes back to the button, and the button says whether it is open.
 */
export function Menu({ button, look = 'quiet', children }: MenuProps) {
  const id = useId();
  return (
    <>
      <button className={buttonClass(look)} type="button" popoverTarget={id}>
        {button}
      </button>
      <div className={styles.panel} id={id} popover="auto">
        <MenuId value={id}>{children}</MenuId>
      </div>
    </>
  );
}

interface MenuButtonProps {
  readonly onClick: () => void;
  /** For what may fail and says so in the menu. */
  readonly staysOpen?: boolean;
  readonly children: ReactNode;
}

/** One thing to do; doing it closes the menu, unless it has to wait for its outcome. */
export function MenuButton({ onClick, staysOpen = false, children }: MenuButtonProps) {
  const id = useContext(MenuId);
  return (
    <button
      className={styles.item}
      type="button"
      popoverTarget={staysOpen ? undefined : id}
      popoverTargetAction="hide"
      onClick={onClick}
    >
      {children}
    </button>
  );
}
