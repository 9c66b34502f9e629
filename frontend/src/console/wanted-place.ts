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

export function takePlace(page: Window): string | null {
  try {
    const place = page.sessionStorage.getItem(KEY);
    page.sessionStorage.removeItem(KEY);
    return place !== null && CONSOLE_PATH.test(place) ? place : null;
  } catch {
    return null;
  }
}
