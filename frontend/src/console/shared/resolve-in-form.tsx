import { useId, type FormEvent } from 'react';
import { Button } from '../../ui/form/button.tsx';
import { formText } from '../../ui/form/form-text.ts';
import boxes from '../../ui/form/text-box.module.css';
import styles from './resolve-in-form.module.css';

interface ResolveInFormProps {
  /** The newest it was seen in. */
  readonly release: string | null;
  readonly onResolve: (release: string) => void;
}

/** The release that has the fix, which nothing may have reported from yet. Closes the menu it stands in. */
export function ResolveInForm({ release, onResolve }: ResolveInFormProps) {
  const id = useId();

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onResolve(formText(event.currentTarget, 'release'));
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
  };

  return (
    <form className={styles.form} onSubmit={submit}>
      <label className={styles.label} htmlFor={id}>
        Resolve in release
      </label>
      <div className={styles.row}>
        <input
          className={boxes.box}
          id={id}
          name="release"
          placeholder={release === null ? undefined : `seen in ${release}`}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          required
        />
        <Button type="submit">Set</Button>
      </div>
      <p className={styles.remark}>It comes back as open when this release or a later one has it.</p>
    </form>
  );
}
