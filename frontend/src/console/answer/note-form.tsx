import type { IssueName } from '@errata/backend/contract/event-api.ts';
import type { FormEvent } from 'react';
import { useAddNote } from '../../api/issues.ts';
import { Button } from '../../ui/button.tsx';
import { formText } from '../../ui/form-text.ts';
import { TextArea } from '../../ui/text-area.tsx';
import styles from './notes.module.css';

const MAX_LENGTH = 10_000;

/** The text stays in the box until the server has it. */
export function NoteForm({ issue }: { readonly issue: IssueName }) {
  const { mutate, isPending, isSuccess, isError } = useAddNote(issue);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const text = formText(form, 'note');
    if (text !== '') mutate({ text }, { onSuccess: () => form.reset() });
  };

  return (
    <form className={styles.form} onSubmit={submit}>
      <TextArea label="Add a note" name="note" maxLength={MAX_LENGTH} />
      <div className={styles.end}>
        <Button type="submit" disabled={isPending}>
          {isPending ? 'Adding…' : 'Add'}
        </Button>
        <output className={styles.said}>
          {isSuccess && 'Added.'}
          {isError && 'It could not be added; the text is still here. Try again.'}
        </output>
      </div>
    </form>
  );
}
