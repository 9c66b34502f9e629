const KEY = 'errata.wanted';
const CONSOLE_PATH = /^\/console(?:[/?]|$)/;

/**
 * Where somebody wanted to go before they had to sign in: a one-time link opened in the same tab leads back there,
 * with the digest they had pasted. Storage can be switched off; then the way back is the start.
 */
export function rememberPlace(page: Window, place: string): void {
  try {
    page.sessionStorage.setItem(KEY, place);
  } catch {
    // Full or forbidden: nothing is lost but the way back.
  }
}

/** The place as long as it is still wanted. */
export function peekPlace(page: Window): string | null {
  try {
    const place = page.sessionStorage.getItem(KEY);
    return place !== null && CONSOLE_PATH.test(place) ? place : null;
  } catch {
    return null;
  }
}

/** Gives it back once. */
export function takePlace(page: Window): string | null {
  const place = peekPlace(page);
  try {
    page.sessionStorage.removeItem(KEY);
  } catch {
    // As above.
  }
  return place;
}
