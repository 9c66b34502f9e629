import type { IssueStatus } from '@errata/backend/contract/issues-api.ts';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Menu, MenuButton } from '../../ui/form/menu.tsx';
import { ResolveInForm } from './resolve-in-form.tsx';

export type StatusChoice = (status: IssueStatus, resolvedIn: string | null) => void;

interface StatusMenuProps {
  readonly button: ReactNode;
  readonly offered: readonly IssueStatus[];
  /** The newest release it was seen in: what a fix is newer than. */
  readonly release: string | null;
  readonly onChoose: StatusChoice;
}

const CHOICES: readonly (readonly [status: IssueStatus, icon: IconName, words: string])[] = [
  ['open', 'open', 'Reopen'],
  ['resolved', 'done', 'Resolve'],
  ['ignored', 'muted', 'Ignore'],
];

/** What is to be done about one or several issues. */
export function StatusMenu({ button, offered, release, onChoose }: StatusMenuProps) {
  return (
    <Menu button={button} look="plain">
      {CHOICES.filter(([status]) => offered.includes(status)).map(([status, icon, words]) => (
        <MenuButton key={status} onClick={() => onChoose(status, null)}>
          <Icon name={icon} />
          {words}
        </MenuButton>
      ))}
      <ResolveInForm release={release} onResolve={(resolvedIn) => onChoose('resolved', resolvedIn)} />
    </Menu>
  );
}
