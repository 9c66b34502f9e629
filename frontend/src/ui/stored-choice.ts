/**
 * A choice of the reader, kept in this browser. Storage can be forbidden or full; then the choice holds as long as
 * the page does.
 */
export function readChoice(page: Window, name: string): string | null {
  try {
    return page.localStorage.getItem(`errata.${name}`);
  } catch {
    return null;
  }
}

/** null forgets it. */
export function storeChoice(page: Window, name: string, value: string | null): void {
  try {
    if (value === null) page.localStorage.removeItem(`errata.${name}`);
    else page.localStorage.setItem(`errata.${name}`, value);
  } catch {
    // Nothing to be done: it holds until the page is left.
  }
}
