import type { IssueName } from '@errata/backend/contract/event-api.ts';
import { readTabItem, writeTabItem } from './tab-storage.ts';

/** Notes that are being written, by issue, as JSON: a session that ends takes the form out of the page. */
const NAME = 'notes';

type Drafts = Readonly<Record<string, string>>;

function read(page: Window): Drafts {
  // Written below, and by nobody else.
  return JSON.parse(readTabItem(page, NAME) ?? '{}') as Drafts;
}

function keyOf({ digest, project }: IssueName): string {
  return `${digest} ${project}`;
}

export function readDraft(page: Window, issue: IssueName): string {
  return read(page)[keyOf(issue)] ?? '';
}

/** An empty text forgets it. */
export function saveDraft(page: Window, issue: IssueName, text: string): void {
  const key = keyOf(issue);
  const { [key]: _before, ...others } = read(page);
  const drafts = text === '' ? others : { ...others, [key]: text };
  writeTabItem(page, NAME, Object.keys(drafts).length === 0 ? '' : JSON.stringify(drafts));
}

/** Whoever signs out leaves nothing to the next one. */
export function clearDrafts(page: Window): void {
  writeTabItem(page, NAME, '');
}
