const SIGN_IN_PATH = '/console/sign-in';

let pendingCode: string | null = null;

/**
 * Takes the code of a one-time link (`/console/sign-in#<code>`) out of the address bar, so that neither history, a
 * screenshot nor an error report holds it. Runs before anything else can read the address.
 */
export function hideOneTimeCode({ location, history }: Window): void {
  if (location.pathname !== SIGN_IN_PATH || location.hash.length <= 1) return;
  pendingCode = location.hash.slice(1);
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
}

/** The code, once: it cannot be exchanged twice. */
export function takeOneTimeCode(): string | null {
  const code = pendingCode;
  pendingCode = null;
  return code;
}
