import { useLayoutEffect, useRef, useState } from 'react';
import styles from './form.module.css';
import { Button } from './button.tsx';

/** Shows a text of any length: after 10 lines it is folded, with a button that shows all of it. Another text needs another `key`. */
export function FoldedText({ text }: { readonly text: string }) {
  const box = useRef<HTMLSpanElement>(null);
  const [isLong, setIsLong] = useState(false);
  const [isOpen, setIsOpen] = useState(false);

  useLayoutEffect(() => {
    // Measured while folded: only the layout knows how many lines a text takes.
    const measure = () => {
      const { scrollHeight = 0, clientHeight = 0 } = box.current ?? {};
      if (!isOpen) setIsLong(scrollHeight > clientHeight + 1);
    };
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, [isOpen]);

  return (
    <>
      <span className={isOpen ? undefined : styles.folded} ref={box}>
        {text}
      </span>
      {isLong && (
        <Button look="quiet" isExpanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Show less' : 'Show all'}
        </Button>
      )}
    </>
  );
}
