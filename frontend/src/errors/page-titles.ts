import { NOT_FOUND_HEADING, NOT_FOUND_TEXT } from '@errata/backend/contract/texts.ts';

/** Titles of the browser tab; not visible text of the page, and the same with and without a script. */
export const APPLICATION_ERROR_TITLE = 'Application error';
export const NOT_FOUND_TITLE = `${NOT_FOUND_HEADING}: ${NOT_FOUND_TEXT}`;
