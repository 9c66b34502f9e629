import {
  HOME_TEXT,
  REFERENCE_LABEL,
  type ShownCodes,
  SUPPORT_TEXT,
  supportAddress,
  TRY_AGAIN_TEXT,
} from '../contract/texts.ts';
import type { PageLines } from './page-lines.ts';

/** What `ERRATA_ERROR_PAGE=helpful` adds to error pages, as HTML without class names and scripts. */
export interface PageHelp {
  readonly homePath: string;
  readonly supportUrl: string | null;
  readonly lines: Pick<PageLines, 'lineOf'>;
}

/** Returns the help of the settings; null for plain pages. */
export function pageHelpOf(
  settings: {
    readonly errorPage: 'plain' | 'helpful';
    readonly basePath: string;
    readonly supportUrl: string | null;
  },
  lines: PageHelp['lines'],
): PageHelp | null {
  const { errorPage, basePath, supportUrl } = settings;
  return errorPage === 'plain' ? null : { homePath: `${basePath}/`, supportUrl, lines };
}

/** A failure as its page shows it. */
export interface ShownFailure extends ShownCodes {
  readonly digest: string;
  /** Whether the address of the page can be opened again without sending anything twice. */
  readonly isRepeatable: boolean;
  /** Line of an operator on this very fault; null for none. */
  readonly line: string | null;
}

/** Returns the help on the page of a failure. An empty address is the page's own with its query. */
export function failureHelp({ homePath, supportUrl }: PageHelp, failure: ShownFailure): string {
  const links = [
    ...(failure.isRepeatable ? [link('', TRY_AGAIN_TEXT)] : []),
    link(homePath, HOME_TEXT),
    ...(supportUrl === null ? [] : [link(supportAddress(supportUrl, failure), SUPPORT_TEXT)]),
  ];
  const { reference, line } = failure;
  return `<div>${
    reference === null ? '' : `<p>${REFERENCE_LABEL}: <code>${escapeHtml(reference)}</code></p>`
  }${line === null ? '' : `<p dir="auto">${escapeHtml(line)}</p>`}<p>${links.join(' ')}</p></div>`;
}

/** Returns the way home, for pages without a failure. */
export function homeHelp({ homePath }: PageHelp): string {
  return `<div><p>${link(homePath, HOME_TEXT)}</p></div>`;
}

function link(address: string, text: string): string {
  return `<a href="${escapeHtml(address)}">${text}</a>`;
}

/** Escapes a text for an element or for an attribute in double quotes. */
export function escapeHtml(text: string): string {
  const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character);
}
