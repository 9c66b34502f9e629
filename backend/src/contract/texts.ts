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
