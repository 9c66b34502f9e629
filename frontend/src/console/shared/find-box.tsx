import { useId, type FormEvent, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import { useFind } from '../../api/find.ts';
import { buttonClass } from '../../ui/form/button-class.ts';
import { formText } from '../../ui/form/form-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import styles from './find-box.module.css';
import { FIND_PATH, findPath } from './paths.ts';

interface FindBoxProps {
  readonly size: 'large' | 'small';
  /** The search in the address. */
  readonly text: string;
}

const LABEL = 'Paste a digest, any ID, an email, a URL or the whole message';

/**
 * Enter submits, Shift and Enter adds a line. Escape leaves the box, so that shortcuts work again. Keys of an input
 * method are left alone.
 */
function onKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.nativeEvent.isComposing) return;
  if (event.key === 'Escape') event.currentTarget.blur();
  if (event.key !== 'Enter' || event.shiftKey) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** The text box; it grows with its text. */
function FindText({ id, size, text }: FindBoxProps & { readonly id: string }) {
  return (
    <textarea
      // Remounts for another search in the address, also after the back button.
      key={text}
      className={styles.input}
      id={id}
      name="q"
      rows={1}
      data-find
      defaultValue={text}
      placeholder={size === 'large' ? '7KQ4-M2XD' : 'Paste a digest or a message'}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      enterKeyHint="search"
      onKeyDown={onKey}
      // This box is the purpose of the page: the user has a text to paste.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={size === 'large'}
    />
  );
}

/** The find box; it accepts any pasted text, also of several lines. */
export function FindBox({ size, text }: FindBoxProps) {
  const id = useId();
  const navigate = useNavigate();
  const { refetch } = useFind(text);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const pasted = formText(event.currentTarget, 'q');
    const place = pasted === '' ? FIND_PATH : findPath(pasted);
    const isSame = text !== '' && place === findPath(text);
    // The same search is refetched.
    if (isSame) void refetch();
    void navigate(place, { replace: isSame });
  };

  return (
    <form className={`${styles.form} ${styles[size]}`} aria-label="Find" onSubmit={submit}>
      <label className={styles.label} htmlFor={id}>
        {size === 'large' ? LABEL : <VisuallyHidden>{LABEL}</VisuallyHidden>}
      </label>
      <div className={styles.box}>
        <FindText id={id} size={size} text={text} />
        {size === 'small' && (
          <kbd className={styles.key} aria-hidden="true">
            /
          </kbd>
        )}
        <button className={`${buttonClass('primary')} ${styles.go}`} type="submit">
          <Icon name="search" />
          {size === 'large' ? 'Find' : <VisuallyHidden>Find</VisuallyHidden>}
        </button>
      </div>
    </form>
  );
}
