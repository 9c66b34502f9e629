import { useId, type FormEvent, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import { useFind } from '../../api/look-up.ts';
import { buttonClass } from '../../ui/form/button-class.ts';
import { formText } from '../../ui/form/form-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import styles from './search-box.module.css';
import { FIND_PATH, findPath } from './paths.ts';

interface SearchBoxProps {
  readonly size: 'large' | 'small';
  /** What the address already asks for. */
  readonly text: string;
}

const LABEL = 'Paste a digest, an event ID or the whole message';

/**
 * Enter asks; a new line in it is Shift and Enter. Escape leaves the box, so that the keys of the page are keys again.
 * What an input method makes of either stays its own.
 */
function onKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.nativeEvent.isComposing) return;
  if (event.key === 'Escape') event.currentTarget.blur();
  if (event.key !== 'Enter' || event.shiftKey) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** Grows with what is pasted. */
function SearchText({ id, size, text }: SearchBoxProps & { readonly id: string }) {
  return (
    <textarea
      // Another address is another question, also when it comes from the back button.
      key={text}
      className={styles.input}
      id={id}
      name="q"
      rows={1}
      data-search
      defaultValue={text}
      placeholder={size === 'large' ? '7KQ4-M2XD' : 'Paste a digest or a message'}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      enterKeyHint="search"
      onKeyDown={onKey}
      // The page is this box: whoever comes has something to paste.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={size === 'large'}
    />
  );
}

/** The product: one box that takes whatever somebody was sent, of however many lines. */
export function SearchBox({ size, text }: SearchBoxProps) {
  const id = useId();
  const navigate = useNavigate();
  const { refetch } = useFind(text);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const pasted = formText(event.currentTarget, 'q');
    const place = pasted === '' ? FIND_PATH : findPath(pasted);
    const isSame = text !== '' && place === findPath(text);
    // The same once more is the same page, asked anew.
    if (isSame) void refetch();
    void navigate(place, { replace: isSame });
  };

  return (
    <form className={`${styles.form} ${styles[size]}`} aria-label="Find" onSubmit={submit}>
      <label className={styles.label} htmlFor={id}>
        {size === 'large' ? LABEL : <VisuallyHidden>{LABEL}</VisuallyHidden>}
      </label>
      <div className={styles.box}>
        <SearchText id={id} size={size} text={text} />
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
