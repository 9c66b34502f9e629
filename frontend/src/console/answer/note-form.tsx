import type { IssueName } from '@errata/backend/contract/event-api.ts';
import { useState } from 'react';
import { useAddNote } from '../../api/issues.ts';
import { saveDraft, readDraft } from '../shared/note-drafts.ts';
import { TextForm } from './text-form.tsx';

const MAX_LENGTH = 10_000;

/** Adds a note. The text stays in the box until the server has saved it, also during a sign-in. */
export function NoteForm({ issue }: { readonly issue: IssueName }) {
  const saving = useAddNote(issue);
  const [text, setText] = useState(() => readDraft(window, issue));

  const write = (written: string) => {
    setText(written);
    saveDraft(window, issue, written);
  };

  return (
    <TextForm
      label="Add a note"
      what="note"
      verbs={['Add', 'Adding…', 'Added.']}
      text={text}
      maxLength={MAX_LENGTH}
      isRequired
      saving={saving}
      onWrite={write}
      onSaved={() => write('')}
    />
  );
}
