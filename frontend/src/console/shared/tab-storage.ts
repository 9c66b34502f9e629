/** Reads an item of this tab; it survives a sign-in on another site. Returns null when storage is full or forbidden. */
export function readTabItem(page: Window, name: string): string | null {
  try {
    return page.sessionStorage.getItem(`errata.${name}`);
  } catch {
    return null;
  }
}

/** Writes an item of this tab; an empty text removes it. */
export function writeTabItem(page: Window, name: string, text: string): void {
  try {
    if (text === '') page.sessionStorage.removeItem(`errata.${name}`);
    else page.sessionStorage.setItem(`errata.${name}`, text);
  } catch {
    // Without storage the item is lost.
  }
}
