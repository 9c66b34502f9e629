import { useEffect, useRef } from 'react';
import styles from './shared.module.css';

/**
 * Shows and announces the result of an action. It takes the focus when the focused element disappeared, because the
 * keyboard would otherwise start again at the top of the page.
 */
export function ActionResult({ text }: { readonly text: string }) {
  const line = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    const isLost =
      activeElement === document.body ||
      (activeElement instanceof HTMLButtonElement && activeElement.disabled);
    if (text !== '' && isLost) line.current?.focus({ preventScroll: true });
  }, [text]);
  return (
    <output className={styles.line} ref={line} tabIndex={-1}>
      {text}
    </output>
  );
}
