import { readTabItem, writeTabItem } from '../shared/tab-storage.ts';

const NAME = 'wanted';
const CONSOLE_PATH = /^\/console(?:[/?]|$)/;

/**
 * Where somebody wanted to go before they had to sign in: a one-time link opened in the same tab leads back there,
 * with the digest they had pasted. Without storage the way back is the start.
 */
export function saveReturnPath(page: Window, place: string): void {
  writeTabItem(page, NAME, place);
}

/** The place as long as it is still wanted. */
export function peekReturnPath(page: Window): string | null {
  const place = readTabItem(page, NAME);
  return place !== null && CONSOLE_PATH.test(place) ? place : null;
}

/** Gives it back once. */
export function takeReturnPath(page: Window): string | null {
  const place = peekReturnPath(page);
  writeTabItem(page, NAME, '');
  return place;
}
