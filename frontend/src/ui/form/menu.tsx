import { createContext, type ReactNode, useContext, useId } from 'react';
import { buttonClass, type ButtonLook } from './button-class.ts';
import styles from './form.module.css';

const MenuId = createContext<string | undefined>(undefined);

interface MenuProps {
  /** Content of the button; it must contain text, visible or for screen readers. */
  readonly button: ReactNode;
  readonly look?: ButtonLook;
  readonly children: ReactNode;
}

/**
 * A button and its popover. The browser does the rest: one open at a time, Escape and a click outside close it, the
 * focus returns, and the button exposes its state.
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
  /** For an action that shows its error in the menu. */
  readonly staysOpen?: boolean;
  readonly children: ReactNode;
}

/** One action; it closes the menu unless it waits for a result. */
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
