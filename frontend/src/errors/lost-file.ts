import { fieldOf, textOrEmpty } from '../reporting/thrown-value.ts';

/** Words of V8 and Gecko, of WebKit, twice, of Vite, and of webpack. */
const LOST =
  /dynamically imported module|module script failed|JavaScript MIME type|preload CSS|Loading (?:CSS )?chunk\b/;
const NAME = 'errata.reloaded';
/** A page that loses a file within this time after a reload would lose it after the next one, too. */
const GUARD_MS = 60_000;
/** A page that is still here was not left: the person has said so, where the page asks before it is left. */
export const STAYED_MS = 10_000;

/** Returns whether an error says that a script or a style sheet of the page did not load, as after a deploy. */
export function isLostFile(error: unknown): boolean {
  return LOST.test(textOrEmpty(fieldOf(error, 'message')));
}

/** What this page has written, which the page after the reload finds. */
let ownMark: string | undefined;

/**
 * Reloads the page at its address, unless it was reloaded within the last minute. Returns whether it is being reloaded: true
 * again for all that ask meanwhile, false without storage, which counts the reloads. An application may clear the storage
 * at its start, and a clock may jump: the browser itself knows that this page comes from a reload, also from the person's.
 */
export function reloadOnce(
  page: Pick<Window, 'location' | 'performance' | 'sessionStorage'>,
  nowMs = Date.now(),
): boolean {
  try {
    const { location, performance, sessionStorage } = page;
    const mark = sessionStorage.getItem(NAME) ?? '0';
    const agoMs = Math.abs(nowMs - Number(mark));
    if (agoMs < GUARD_MS) return agoMs < STAYED_MS && mark === ownMark;
    const [navigation] = performance.getEntriesByType('navigation');
    if (performance.now() < GUARD_MS && fieldOf(navigation, 'type') === 'reload') return false;
    ownMark = String(nowMs);
    sessionStorage.setItem(NAME, ownMark);
    location.reload();
    return true;
  } catch {
    return false;
  }
}
