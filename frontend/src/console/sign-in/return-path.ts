import { readStored, writeStored } from '../../ui/storage.ts';

const NAME = 'wanted';
const CONSOLE_PATH = /^\/console(?:[/?]|$)/;

/**
 * Saves the page to return to after signing in, with the pasted digest: a one-time link opened in the same tab leads
 * there. Without storage the start page is used.
 */
export function saveReturnPath(page: Window, place: string): void {
  writeStored(page, 'sessionStorage', NAME, place);
}

/** Returns the saved path without removing it. */
export function peekReturnPath(page: Window): string | null {
  const place = readStored(page, 'sessionStorage', NAME);
  return place !== null && CONSOLE_PATH.test(place) ? place : null;
}

/** Returns the saved path and removes it. */
export function takeReturnPath(page: Window): string | null {
  const place = peekReturnPath(page);
  writeStored(page, 'sessionStorage', NAME, null);
  return place;
}
