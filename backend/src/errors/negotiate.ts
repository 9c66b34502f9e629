import type { IncomingHttpHeaders } from 'node:http';

/** The three forms a failure is answered in. */
export type AnswerForm = 'html' | 'problem' | 'text';

/** What a browser fetches as a part of a page: HTML there leaves it hanging on `Unexpected token '<'`. */
const PART_DESTINATIONS = new Set(['script', 'style', 'image', 'font']);
const API_PATH = /^\/(api|console\/api)(\/|$)/;
const JSON_TYPE = /\bapplication\/([\w.+-]+\+)?json\b/i;
const FILE_EXTENSION = /\.[^./]+$/;

/**
 * Chooses the form of a failure's answer; the first rule that fits wins.
 *
 * @param path the request's path, without query.
 */
export function negotiate(headers: IncomingHttpHeaders, path: string): AnswerForm {
  const accept = headers.accept ?? '';
  const destination = headers['sec-fetch-dest'];
  const wantsHtml = /\btext\/html\b/i.test(accept);
  if (typeof destination === 'string' && PART_DESTINATIONS.has(destination)) return 'text';
  if (!wantsHtml && (JSON_TYPE.test(accept) || API_PATH.test(path))) return 'problem';
  if (destination === 'document' || wantsHtml) return 'html';
  const takesAnything = accept === '' || accept.includes('*/*');
  return takesAnything && !FILE_EXTENSION.test(path) ? 'html' : 'text';
}
