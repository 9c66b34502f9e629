/**
 * What this tab remembers through a sign-in, also one that leads to another site and back. Storage can be full or
 * forbidden; then it is forgotten with the page.
 */
export function readTabItem(page: Window, name: string): string | null {
  try {
    return page.sessionStorage.getItem(`errata.${name}`);
  } catch {
    return null;
  }
}

/** An empty text forgets it. */
export function writeTabItem(page: Window, name: string, text: string): void {
  try {
    if (text === '') page.sessionStorage.removeItem(`errata.${name}`);
    else page.sessionStorage.setItem(`errata.${name}`, text);
  } catch {
    // It holds until the page is left.
  }
}
