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
 * Chooses the form of an error response; the first matching rule wins. Requests for parts of a page (script, worker,
 * manifest …) never get HTML: it makes a browser fail with `Unexpected token '<'`.
 *
 * @param path the request's path, without query.
 */
export function negotiate(headers: IncomingHttpHeaders, path: string): ResponseForm {
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
  return isPositive(ranges.get('*/*')) && !FILE_EXTENSION.test(path) ? 'html' : 'text';
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
