/** Reads a setting that the user chose in this browser. Without storage the setting lasts as long as the page. */
export function readChoice(page: Window, name: string): string | null {
  try {
    return page.localStorage.getItem(`errata.${name}`);
  } catch {
    return null;
  }
}

/** Stores a setting; null removes it. */
export function storeChoice(page: Window, name: string, value: string | null): void {
  try {
    if (value === null) page.localStorage.removeItem(`errata.${name}`);
    else page.localStorage.setItem(`errata.${name}`, value);
  } catch {
    // Without storage the setting lasts until the page is left.
  }
}
