import type { IssueName } from '@errata/backend/contract/event-api.ts';
import { type FormEvent, useState } from 'react';
import { useAddNote } from '../../api/issues.ts';
import { Button } from '../../ui/form/button.tsx';
import { TextArea } from '../../ui/form/text-area.tsx';
import { saveDraft, readDraft } from '../shared/note-drafts.ts';
import styles from './occurrence.module.css';

const MAX_LENGTH = 10_000;

/** Adds a note. The text stays in the box until the server has saved it, also during a sign-in. */
export function NoteForm({ issue }: { readonly issue: IssueName }) {
  const { mutateAsync, isPending, isSuccess, isError } = useAddNote(issue);
  const [text, setText] = useState(() => readDraft(window, issue));

  const write = (written: string) => {
    setText(written);
    saveDraft(window, issue, written);
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const note = text.trim();
    // Also after the page was left; an error is shown below.
    if (note !== '')
      void mutateAsync({ text: note }).then(
        () => write(''),
        () => undefined,
      );
  };

  return (
    <form className={styles.form} onSubmit={submit}>
      <TextArea label="Add a note" value={text} onChange={write} maxLength={MAX_LENGTH} />
      <div className={styles.end}>
        <Button type="submit" disabled={isPending}>
          {isPending ? 'Adding…' : 'Add'}
        </Button>
        <output className={styles.said}>
          {isSuccess && 'Added.'}
          {isError && 'The note was not saved. Your text is still here. Try again.'}
        </output>
      </div>
    </form>
  );
}
