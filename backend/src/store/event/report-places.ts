import { ownPath } from '../../digest/file-path.ts';
import { routeTemplate } from '../../digest/route-template.ts';
import { columnText } from './column-text.ts';

/**
 * The places a browser's report names, without what differs from one page view to the next and without queries,
 * which are nobody's business.
 */

export const MAX_URL_LENGTH = 4_096;
/** A blocked source that is no URL: `inline`, `eval`, `trusted-types-sink`. */
const MAX_KEYWORD_LENGTH = 100;

const SCHEME = /^([a-z][a-z\d+.-]*):/i;

/** Route template of a page's or a request's URL; '' where there is none. */
export function routeOf(url: string | null): string {
  if (url === null) return '';
  return routeTemplate(URL.parse(url, 'http://host.invalid')?.pathname ?? '');
}

/**
 * What was refused: the origin of an address on the net, the scheme alone of any other (`data`, `chrome-extension`:
 * what follows is content or an id), else the keyword as it is.
 */
export function targetOf(value: unknown): string | null {
  const text = columnText(value, MAX_URL_LENGTH);
  if (text === null) return null;
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined) return originOf(text) ?? scheme;
  return columnText(bare(text).replace(/\s+/g, ' '), MAX_KEYWORD_LENGTH);
}

/** Origin of an address on the net (http, https, ws, wss, ftp); null for all others, whose origin is opaque. */
export function originOf(url: string | null): string | null {
  const origin = url === null ? undefined : URL.parse(url)?.origin;
  // A blob: has the origin of who made it, but is no place on the net.
  return origin === undefined || origin === 'null' || /^blob:/i.test(url ?? '') ? null : origin;
}

/** A script's address as people are shown it. */
export function fileOf(value: unknown): string | null {
  const text = columnText(value, MAX_URL_LENGTH);
  if (text === null) return null;
  const origin = originOf(text);
  return origin === null ? bare(text) : origin + (URL.parse(text)?.pathname ?? '');
}

/**
 * The same for a digest: without build hashes, versions and ids, and without the origin where it is the page's, as
 * the same application runs in more places than one. A browser extension is only that: its id differs for each user.
 */
export function sourceOf(file: string | null, page: string | null): string {
  if (file === null) return '';
  const origin = originOf(file);
  if (origin === null)
    return routeTemplate(SCHEME.exec(file)?.[1]?.toLowerCase() ?? ownPath(file, '') ?? file);
  const path = routeTemplate(ownPath(file, '') ?? file);
  return origin === originOf(page) ? path : origin + path;
}

function bare(text: string): string {
  return text.replace(/[?#].*$/s, '');
}
