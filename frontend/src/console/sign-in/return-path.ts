import { recall, remember } from '../shared/tab-storage.ts';

const NAME = 'wanted';
const CONSOLE_PATH = /^\/console(?:[/?]|$)/;

/**
 * Where somebody wanted to go before they had to sign in: a one-time link opened in the same tab leads back there,
 * with the digest they had pasted. Without storage the way back is the start.
 */
export function rememberPlace(page: Window, place: string): void {
  remember(page, NAME, place);
}

/** The place as long as it is still wanted. */
export function peekPlace(page: Window): string | null {
  const place = recall(page, NAME);
  return place !== null && CONSOLE_PATH.test(place) ? place : null;
}

/** Gives it back once. */
export function takePlace(page: Window): string | null {
  const place = peekPlace(page);
  remember(page, NAME, '');
  return place;
}
