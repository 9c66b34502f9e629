import { atServer } from '../../api/base-path.ts';

const SIGN_IN_PATH = '/console/sign-in';
/** 24 random bytes in base64url, as the server makes them; characters that a mail client appends are removed too. */
const CODE = /^#[\w-]{32}/;

let pendingCode: string | null = null;

/**
 * Removes the code of a one-time link (`/console/sign-in#<code>`) from the address bar, so that history, screenshots
 * and error reports do not contain it. Runs before other code can read the address. Other fragments, such as the skip
 * link's, stay.
 */
export function hideOneTimeCode({ location, history }: Window): void {
  if (location.pathname !== atServer(SIGN_IN_PATH) || !CODE.test(location.hash)) return;
  pendingCode = location.hash.slice(1);
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
}

/** Returns the code once: it cannot be exchanged twice. */
export function takeOneTimeCode(): string | null {
  const code = pendingCode;
  pendingCode = null;
  return code;
}
