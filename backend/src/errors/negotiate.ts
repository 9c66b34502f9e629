import type { IncomingHttpHeaders } from 'node:http';

/** The three forms of an error response. */
export type ResponseForm = 'html' | 'problem' | 'text';

/** Requests for parts of a page. HTML there makes a browser fail with `Unexpected token '<'`. */
const PART_DESTINATIONS = new Set(['script', 'style', 'image', 'font']);
const API_PATH = /^\/(api|console\/api)(\/|$)/;
const JSON_TYPE = /\bapplication\/([\w.+-]+\+)?json\b/i;
const FILE_EXTENSION = /\.[^./]+$/;

/**
 * Chooses the form of an error response; the first matching rule wins.
 *
 * @param path the request's path, without query.
 */
export function negotiate(headers: IncomingHttpHeaders, path: string): ResponseForm {
  const accept = headers.accept ?? '';
  const destination = headers['sec-fetch-dest'];
  const wantsHtml = /\btext\/html\b/i.test(accept);
  if (typeof destination === 'string' && PART_DESTINATIONS.has(destination)) return 'text';
  if (!wantsHtml && (JSON_TYPE.test(accept) || API_PATH.test(path))) return 'problem';
  if (destination === 'document' || wantsHtml) return 'html';
  const takesAnything = accept === '' || accept.includes('*/*');
  return takesAnything && !FILE_EXTENSION.test(path) ? 'html' : 'text';
}
