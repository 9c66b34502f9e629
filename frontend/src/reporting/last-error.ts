const NAME = 'errata.last-error';

/** Saves the last error of this tab: the server's digest that it carries, or its own event ID. */
export function saveLastError(page: Window, id: string): void {
  try {
    page.sessionStorage.setItem(NAME, id);
  } catch {
    // Without storage the home page has no link to the error.
  }
}

/** Returns digest or event ID of the last error of this tab, or null. */
export function readLastError(page: Window): string | null {
  try {
    return page.sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}
