/** `localStorage` lasts in this browser; `sessionStorage` in this tab, where it survives a sign-in on another site. */
type Place = 'localStorage' | 'sessionStorage';

/** Reads a stored text. Returns null without one, and where storage is full or forbidden. */
export function readStored(page: Window, place: Place, name: string): string | null {
  try {
    return page[place].getItem(`errata.${name}`);
  } catch {
    return null;
  }
}

/** Stores a text; null removes it. */
export function writeStored(page: Window, place: Place, name: string, text: string | null): void {
  try {
    if (text === null) page[place].removeItem(`errata.${name}`);
    else page[place].setItem(`errata.${name}`, text);
  } catch {
    // Without storage a choice lasts as long as the page, and another text is lost.
  }
}
