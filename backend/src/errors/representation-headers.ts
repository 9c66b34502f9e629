import type { ServerResponse } from 'node:http';

/**
 * Headers without the prefix `Content-` that describe the body of the failed response (RFC 9110, section 8; RFC 9530), that
 * let a cache keep it although `Cache-Control` forbids it (RFC 9213), or that lead a browser away from the page.
 */
const REPRESENTATION = new Set([
  'accept-ranges',
  'age',
  'cdn-cache-control',
  'digest',
  'etag',
  'expires',
  'last-modified',
  'refresh',
  'repr-digest',
  'surrogate-control',
  'trailer',
  'transfer-encoding',
]);
const CONTENT_HEADER = /^content-(?!security-policy)/;
const RANGE_NOT_SATISFIABLE = 416;

/**
 * Removes what a failed response said about the body that it will not send. A browser that reads an error page with the
 * `Content-Encoding` or `Content-Disposition` of a file shows a page of its own or starts a download instead of the page
 * with the digest. Only a 416 keeps `Content-Range`, which has the length of the file (RFC 9110, section 14.4).
 */
export function dropRepresentation(response: ServerResponse, status: number): void {
  for (const name of response.getHeaderNames()) {
    if (name === 'content-range' && status === RANGE_NOT_SATISFIABLE) continue;
    if (CONTENT_HEADER.test(name) || REPRESENTATION.has(name)) response.removeHeader(name);
  }
}
