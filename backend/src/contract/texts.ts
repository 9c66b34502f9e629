/**
 * The exact sentences people see when something fails. They are fixed: support pages, screenshots and searches
 * around the world hold them, and by default a page shows nothing else.
 */

/** Shown when the failure happened in the browser. */
export const CLIENT_ERROR_TEXT =
  'Application error: a client-side exception has occurred (see the browser console for more information).';

/** Shown when the failure happened on the server; the page adds a second line `Digest: XXXX-XXXX`. */
export const SERVER_ERROR_TEXT =
  'Application error: a server-side exception has occurred (see the server logs for more information).';

/** The not-found page: a heading and a sentence. */
export const NOT_FOUND_HEADING = '404';
export const NOT_FOUND_TEXT = 'This page could not be found.';

/** Stands in error.html where the server puts the digest of the failure; the build must leave it once. */
export const DIGEST_PLACEHOLDER = '%ERRATA_DIGEST%';
