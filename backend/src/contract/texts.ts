/**
 * The exact sentences of the error pages. They must not change: users find them in support pages, screenshots and search
 * engines. By default a page shows nothing else.
 */

/** Text for a failure in the browser. */
export const CLIENT_ERROR_TEXT =
  'Application error: a client-side exception has occurred (see the browser console for more information).';

/** Text for a failure on the server; the page adds a second line `Digest: XXXX-XXXX`. */
export const SERVER_ERROR_TEXT =
  'Application error: a server-side exception has occurred (see the server logs for more information).';

/** Heading and text of the not-found page. */
export const NOT_FOUND_HEADING = '404';
export const NOT_FOUND_TEXT = 'This page could not be found.';

/** Placeholder for the digest in error.html, which the server replaces; frontend/vite must write it once. */
export const DIGEST_PLACEHOLDER = '%ERRATA_DIGEST%';

/** Placeholder in error.html and 404.html for what `ERRATA_ERROR_PAGE=helpful` adds; the server removes it otherwise. */
export const HELP_PLACEHOLDER = '%ERRATA_HELP%';

/** Texts that helpful pages add. */
export const REFERENCE_LABEL = 'Reference';
export const TRY_AGAIN_TEXT = 'Try again';
export const HOME_TEXT = 'Home';
export const SUPPORT_TEXT = 'Get help';

/**
 * Form of `ERRATA_SUPPORT_URL`, without blanks and characters that are not seen. A script in a link (`javascript:`, `data:`) would
 * run on the page's origin.
 */
export const SUPPORT_URL = /^(?:https?:\/\/|mailto:)[^\s\p{C}]+$/iu;

/** Codes that a page shows; null for one that it lacks. */
export interface ShownCodes {
  readonly digest: string | null;
  readonly reference: string | null;
}

/** Returns the address of `ERRATA_SUPPORT_URL` with the codes of a page in it; empty for a code that the page lacks. */
export function supportAddress(supportUrl: string, codes: ShownCodes): string {
  return supportUrl.replaceAll(/\{(digest|reference)\}/g, (_, name: keyof ShownCodes) =>
    encodeURIComponent(codes[name] ?? ''),
  );
}
