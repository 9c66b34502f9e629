import type { IssueName } from '@errata/backend/contract/event-api.ts';
import { readStored, writeStored } from '../../ui/storage.ts';

/** Unsaved notes by issue, as JSON: the form unmounts when a session ends. */
const NAME = 'notes';

type Drafts = Readonly<Record<string, string>>;

function read(page: Window): Drafts {
  // Only saveDraft writes this text.
  return JSON.parse(readStored(page, 'sessionStorage', NAME) ?? '{}') as Drafts;
}

function keyOf({ address, project }: IssueName): string {
  return `${address} ${project}`;
}

export function readDraft(page: Window, issue: IssueName): string {
  return read(page)[keyOf(issue)] ?? '';
}

/** Saves a draft; an empty text removes it. */
export function saveDraft(page: Window, issue: IssueName, text: string): void {
  const key = keyOf(issue);
  const { [key]: _before, ...others } = read(page);
  const drafts = text === '' ? others : { ...others, [key]: text };
  writeStored(page, 'sessionStorage', NAME, Object.keys(drafts).length === 0 ? null : JSON.stringify(drafts));
}

/** Removes all drafts at sign-out, so that the next user does not see them. */
export function clearDrafts(page: Window): void {
  writeStored(page, 'sessionStorage', NAME, null);
}
