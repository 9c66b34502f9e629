import type { IssueStatus } from '@errata/backend/contract/issues-api.ts';
import { type FormEvent, type ReactNode, useId } from 'react';
import { Button } from '../../ui/form/button.tsx';
import { formText } from '../../ui/form/form-text.ts';
import boxes from '../../ui/form/form.module.css';
import { Menu, MenuButton } from '../../ui/form/menu.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import styles from './shared.module.css';

interface ResolveInFormProps {
  /** The newest release of the issue. */
  readonly release: string | null;
  readonly onResolve: (release: string) => void;
}

/** Sets the release with the fix, which may not have sent events yet. Submitting closes the menu. */
function ResolveInForm({ release, onResolve }: ResolveInFormProps) {
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
      <p className={styles.remark}>Reopens if seen in this release or later.</p>
    </form>
  );
}

export type StatusChoice = (status: IssueStatus, resolvedIn: string | null) => void;

interface StatusMenuProps {
  readonly button: ReactNode;
  readonly offered: readonly IssueStatus[];
  /** The newest release of the issue; the fix is in a later one. */
  readonly release: string | null;
  readonly onChoose: StatusChoice;
}

const CHOICES: readonly (readonly [status: IssueStatus, icon: IconName, label: string])[] = [
  ['open', 'open', 'Reopen'],
  ['resolved', 'done', 'Resolve'],
  ['ignored', 'muted', 'Ignore'],
];

/** Sets the status of one or several issues. */
export function StatusMenu({ button, offered, release, onChoose }: StatusMenuProps) {
  return (
    <Menu button={button} look="plain">
      {CHOICES.filter(([status]) => offered.includes(status)).map(([status, icon, label]) => (
        <MenuButton key={status} onClick={() => onChoose(status, null)}>
          <Icon name={icon} />
          {label}
        </MenuButton>
      ))}
      <ResolveInForm release={release} onResolve={(resolvedIn) => onChoose('resolved', resolvedIn)} />
    </Menu>
  );
}
