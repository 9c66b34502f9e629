import type { IncomingHttpHeaders } from 'node:http';
import { parseWeights, type Weights } from '../net/weighted-list.ts';

/** The three forms of an error response. */
export type ResponseForm = 'html' | 'problem' | 'text';

/** Values of `Sec-Fetch-Dest` (Fetch Standard, "destination") whose response a person sees as a page. */
const PAGE_DESTINATIONS = new Set(['document', 'iframe', 'frame', 'fencedframe', 'embed', 'object']);
/** Value of `Sec-Fetch-Dest` of a request that a script makes; its `Accept` header decides. */
const SCRIPTED = 'empty';
const API_PATH = /^\/(api|console\/api)(\/|$)/;
const PROBLEM = 'application/problem+json';
const JSON_TYPE = /^application\/([\w.+-]+\+)?json$/;
const FILE_EXTENSION = /\.[^./]+$/;

/**
 * Chooses the form of an error response; docs/architecture.md has the table. A client that takes everything and names
 * nothing is a program: a `fetch` of a page and most HTTP libraries send no more than that.
 *
 * @param path the request's path, without query.
 * @param isMissing whether nothing is there under the path; for the name of a file it is then a part of a page.
 */
export function negotiate(headers: IncomingHttpHeaders, path: string, isMissing: boolean): ResponseForm {
  const form = acceptedForm(headers, path);
  if (form !== 'any') return form;
  return isMissing && FILE_EXTENSION.test(path) ? 'text' : 'problem';
}

/**
 * Returns the form that a client accepts, or `any` where it takes everything and names nothing; the first matching rule
 * wins. Requests for parts of a page (script, worker, manifest …) never get HTML: it makes a browser fail with `Unexpected
 * token '<'`.
 */
export function acceptedForm(headers: IncomingHttpHeaders, path: string): ResponseForm | 'any' {
  const ranges = parseWeights(headers.accept?.trim() || '*/*');
  const destination = headers['sec-fetch-dest'];
  const isPage = typeof destination === 'string' && PAGE_DESTINATIONS.has(destination);
  const html = htmlWeight(ranges);
  const json = jsonWeight(ranges);
  if (destination !== undefined && destination !== SCRIPTED && !isPage) return 'text';
  if (json !== undefined && json > (html ?? 0)) return 'problem';
  if (API_PATH.test(path) && json !== 0 && !isPositive(html)) return 'problem';
  if (html === 0) return 'text';
  if (isPage || isPositive(html)) return 'html';
  return isPositive(ranges.get('*/*')) && json !== 0 ? 'any' : 'text';
}

/** Returns whether `Accept` names HTML and does not exclude it. */
export function namesHtml(accept: string): boolean {
  return isPositive(htmlWeight(parseWeights(accept)));
}

/** Returns the weight of HTML, or undefined where `Accept` neither names nor excludes it. */
function htmlWeight(ranges: Weights): number | undefined {
  return ranges.get('text/html') ?? (ranges.get('text/*') === 0 ? 0 : undefined);
}

/** Returns the weight of problem details: their own or, if the client does not know them, that of another JSON type. */
function jsonWeight(ranges: Weights): number | undefined {
  const weights = [...ranges].filter(([name]) => JSON_TYPE.test(name)).map(([, weight]) => weight);
  return ranges.get(PROBLEM) ?? (weights.length > 0 ? Math.max(...weights) : ranges.get('application/*'));
}

function isPositive(weight: number | undefined): boolean {
  return weight !== undefined && weight > 0;
}
