import { ownPath } from '../../digest/file-path.ts';
import { routeTemplate } from '../../digest/route-template.ts';
import { columnText } from './column-text.ts';

export const MAX_URL_LENGTH = 4_096;
/** Length of a blocked source that is not a URL: `inline`, `eval`, `trusted-types-sink`. */
const MAX_KEYWORD_LENGTH = 100;

const SCHEME = /^([a-z][a-z\d+.-]*):/i;

/** Returns the route template of a page's or a request's URL; '' without a URL. The query, which may be personal, goes. */
export function routeOf(url: string | null): string {
  if (url === null) return '';
  return routeTemplate(URL.parse(url, 'http://host.invalid')?.pathname ?? '');
}

/**
 * Returns the blocked resource: the origin of a network address, only the scheme of another URL (`data`,
 * `chrome-extension`: the rest is content or an id), else the keyword.
 */
export function targetOf(value: unknown): string | null {
  const text = columnText(value, MAX_URL_LENGTH);
  if (text === null) return null;
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined) return originOf(text) ?? scheme;
  return columnText(bare(text).replace(/\s+/g, ' '), MAX_KEYWORD_LENGTH);
}

/** Returns the origin of a network address (http, https, ws, wss, ftp); null for all others, whose origin is opaque. */
export function originOf(url: string | null): string | null {
  const origin = url === null ? undefined : URL.parse(url)?.origin;
  // A blob: URL has the origin of the page that made it, but is not a network address.
  return origin === undefined || origin === 'null' || /^blob:/i.test(url ?? '') ? null : origin;
}

/** Returns a script's address as the console shows it. */
export function fileOf(value: unknown): string | null {
  const text = columnText(value, MAX_URL_LENGTH);
  if (text === null) return null;
  const origin = originOf(text);
  return origin === null ? bare(text) : origin + (URL.parse(text)?.pathname ?? '');
}

/**
 * Returns a script's address for a digest: without build hashes, versions and ids, and without the page's own origin,
 * because the same application runs on several hosts. A browser extension gives only its scheme, because its id
 * differs for each user.
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
