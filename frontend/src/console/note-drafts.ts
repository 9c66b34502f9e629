import { recall, remember } from './tab-memory.ts';

/** Notes that are being written, by digest, as JSON: a session that ends takes the form out of the page. */
const NAME = 'notes';

type Drafts = Readonly<Record<string, string>>;

function read(page: Window): Drafts {
  // Written below, and by nobody else.
  return JSON.parse(recall(page, NAME) ?? '{}') as Drafts;
}

export function readDraft(page: Window, digest: string): string {
  return read(page)[digest] ?? '';
}

/** An empty text forgets it. */
export function keepDraft(page: Window, digest: string, text: string): void {
  const { [digest]: _before, ...others } = read(page);
  const drafts = text === '' ? others : { ...others, [digest]: text };
  remember(page, NAME, Object.keys(drafts).length === 0 ? '' : JSON.stringify(drafts));
}

/** Whoever signs out leaves nothing to the next one. */
export function forgetDrafts(page: Window): void {
  remember(page, NAME, '');
}
