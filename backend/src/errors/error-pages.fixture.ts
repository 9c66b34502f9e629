import { DIGEST_PLACEHOLDER, NOT_FOUND_TEXT, SERVER_ERROR_TEXT } from '../contract/texts.ts';
import { ErrorPages } from './error-pages.ts';

/** Pages with the texts and the places of the built ones, without their layout. */
export const ERROR_PAGES = new ErrorPages(
  `<style>p{}</style><h1>${SERVER_ERROR_TEXT}</h1><p>Digest: ${DIGEST_PLACEHOLDER}</p>`,
  `<title>404: ${NOT_FOUND_TEXT}</title><style>p{}</style><h1>404</h1><p>${NOT_FOUND_TEXT}</p>`,
);
