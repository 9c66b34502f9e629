import type { AuditEntry } from '@errata/backend/contract/access-api.ts';
import { eventPath, findPath } from '../shared/paths.ts';

const ACTIONS: Readonly<Record<string, string>> = {
  sign_in: 'signed in',
  sign_out: 'signed out',
  find: 'searched for',
  look_up: 'looked up',
  download: 'downloaded',
  set_status: 'set the status of',
  note: 'wrote a note on',
  redrive: 'sent dead letters again:',
  discard: 'discarded dead letters:',
  erase: 'erased',
  revoke: 'ended the session of',
};

/** What somebody did, as the middle of a sentence: "ann looked up 7KQ4-M2XD". A new action is shown as it is called. */
export function actionWords(action: string): string {
  const words = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  return words ?? action.replaceAll('_', ' ');
}

/** Actions whose target is a digest or an event id that the answer page takes. */
const ON_AN_ERROR: ReadonlySet<string> = new Set(['look_up', 'download', 'set_status', 'note']);
/** A digest, or the 32 hex digits of an event id; bulk actions name more than one thing. */
const ONE_ID = /^[A-Za-z0-9_-]{4,64}$/;

/** Where the target can be seen, or null. */
export function targetPath({ action, target }: Pick<AuditEntry, 'action' | 'target'>): string | null {
  if (target === null) return null;
  if (action === 'find') return findPath(target);
  return ON_AN_ERROR.has(action) && ONE_ID.test(target) ? eventPath(target) : null;
}
