import { useEffect, useRef } from 'react';
import styles from './shared.module.css';

/**
 * What came of the last thing that was done, for eyes and ears. It takes the focus when what had it is gone, or the
 * keyboard would start again at the top of the page.
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
