import {
  DIGEST_PLACEHOLDER,
  HELP_PLACEHOLDER,
  NOT_FOUND_TEXT,
  SERVER_ERROR_TEXT,
} from '../contract/texts.ts';
import { ErrorPages } from './error-pages.ts';
import type { PageHelp } from './page-help.ts';

/** Returns pages with the texts and the places of the built ones, without their layout. */
export function errorPages(help: PageHelp | null): ErrorPages {
  return new ErrorPages(
    `<style>p{}</style><h1>${SERVER_ERROR_TEXT}</h1><p>Digest: ${DIGEST_PLACEHOLDER}</p>${HELP_PLACEHOLDER}`,
    `<title>404: ${NOT_FOUND_TEXT}</title><style>p{}</style><h1>404</h1><p>${NOT_FOUND_TEXT}</p>${HELP_PLACEHOLDER}`,
    help,
  );
}

export const ERROR_PAGES = errorPages(null);
