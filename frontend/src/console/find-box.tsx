import { useId, type FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { buttonClass } from '../ui/button-class.ts';
import { formText } from '../ui/form-text.ts';
import { Icon } from '../ui/icon.tsx';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import styles from './find-box.module.css';
import { FIND_PATH, findPath } from './paths.ts';

interface FindBoxProps {
  readonly size: 'large' | 'small';
  /** What the address already asks for. */
  readonly text: string;
}

const LABEL = 'Paste a digest, an event id, or the whole message';

/** The product: one box that takes whatever somebody was sent. */
export function FindBox({ size, text }: FindBoxProps) {
  const id = useId();
  const navigate = useNavigate();

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const pasted = formText(event.currentTarget, 'q');
    void navigate(pasted === '' ? FIND_PATH : findPath(pasted));
  };

  return (
    <form className={`${styles.form} ${styles[size]}`} aria-label="Find" onSubmit={submit}>
      <label className={styles.label} htmlFor={id}>
        {size === 'large' ? LABEL : <VisuallyHidden>{LABEL}</VisuallyHidden>}
      </label>
      <div className={styles.box}>
        <input
          // Another address is another question, also when it comes from the back button.
          key={text}
          className={styles.input}
          id={id}
          name="q"
          type="search"
          defaultValue={text}
          placeholder={size === 'large' ? '7KQ4-M2XD' : LABEL}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
          // The page is this box: whoever comes has something to paste.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus={size === 'large'}
        />
        <button className={`${buttonClass('primary')} ${styles.go}`} type="submit">
          <Icon name="search" />
          {size === 'large' ? 'Find' : <VisuallyHidden>Find</VisuallyHidden>}
        </button>
      </div>
    </form>
  );
}
