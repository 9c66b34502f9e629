import type { FormEvent } from 'react';
import { Button } from '../../ui/form/button.tsx';
import { TextArea } from '../../ui/form/text-area.tsx';
import styles from './occurrence.module.css';

/** State and call of the mutation that saves a text. */
interface Saving {
  readonly mutateAsync: (body: { readonly text: string }) => Promise<unknown>;
  readonly isPending: boolean;
  readonly isSuccess: boolean;
  readonly isError: boolean;
}

interface TextFormProps {
  readonly label: string;
  /** Name of the text, for the words about a failure. */
  readonly what: string;
  /** Of the button, while it saves, and after. */
  readonly verbs: readonly [submit: string, saving: string, saved: string];
  readonly text: string;
  readonly maxLength: number;
  readonly isRequired: boolean;
  readonly saving: Saving;
  readonly onWrite: (text: string) => void;
  readonly onSaved: () => void;
}

/** A box for a text, which stays in it until the server has saved it. */
export function TextForm(props: TextFormProps) {
  const { label, what, verbs, text, maxLength, isRequired, saving, onWrite, onSaved } = props;
  const { mutateAsync, isPending, isSuccess, isError } = saving;

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const written = text.trim();
    // Also after the page was left; an error is shown below.
    if (written !== '' || !isRequired) void mutateAsync({ text: written }).then(onSaved, () => undefined);
  };

  return (
    <form className={styles.form} onSubmit={submit}>
      <TextArea label={label} value={text} onChange={onWrite} maxLength={maxLength} isRequired={isRequired} />
      <div className={styles.end}>
        <Button type="submit" disabled={isPending}>
          {isPending ? verbs[1] : verbs[0]}
        </Button>
        <output className={styles.said}>
          {isSuccess && verbs[2]}
          {isError && `The ${what} was not saved. Your text is still here. Try again.`}
        </output>
      </div>
    </form>
  );
}
