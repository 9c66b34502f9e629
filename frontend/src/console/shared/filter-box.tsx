import { type FormEvent, useEffect, useId, useRef } from 'react';
import { Button } from '../../ui/form/button.tsx';
import boxes from '../../ui/form/form.module.css';
import { formText } from '../../ui/form/form-text.ts';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import styles from './filter-box.module.css';
import { addressable } from './paths.ts';

interface FilterBoxProps {
  /** Begins with "Filter". */
  readonly label: string;
  readonly placeholder: string;
  /** The text that filters the list now. */
  readonly text: string;
  readonly onFilter: (text: string) => void;
}

/** A box that filters the list below it by a text; an empty one lists everything. */
export function FilterBox({ label, placeholder, text, onFilter }: FilterBoxProps) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);

  // Follows the filter, also after the back button, without losing the focus.
  useEffect(() => {
    if (box.current !== null) box.current.value = text;
  }, [text]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onFilter(addressable(formText(event.currentTarget, 'q')));
  };

  return (
    <form className={styles.form} aria-label="Filter" onSubmit={submit}>
      <label className={styles.label} htmlFor={id}>
        <VisuallyHidden>{label}</VisuallyHidden>
      </label>
      <input
        className={boxes.box}
        id={id}
        name="q"
        ref={box}
        type="search"
        defaultValue={text}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
      />
      <Button type="submit">Filter</Button>
    </form>
  );
}
