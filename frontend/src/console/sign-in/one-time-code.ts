const SIGN_IN_PATH = '/console/sign-in';
/** 24 random bytes in base64url, as the server makes them; what a mail puts behind it is hidden with it. */
const CODE = /^#[\w-]{32}/;

let pendingCode: string | null = null;

/**
 * Takes the code of a one-time link (`/console/sign-in#<code>`) out of the address bar, so that neither history, a
 * screenshot nor an error report holds it. Runs before anything else can read the address. Any other fragment is a place
 * in the page, as the skip link's.
 */
export function hideOneTimeCode({ location, history }: Window): void {
  if (location.pathname !== SIGN_IN_PATH || !CODE.test(location.hash)) return;
  pendingCode = location.hash.slice(1);
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
}

/** The code, once: it cannot be exchanged twice. */
export function takeOneTimeCode(): string | null {
  const code = pendingCode;
  pendingCode = null;
  return code;
}
