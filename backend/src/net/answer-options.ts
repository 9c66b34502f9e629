import type { IncomingMessage, ServerResponse } from 'node:http';

/** Methods of a page or file. */
export const READS = 'GET, HEAD, OPTIONS';

/**
 * Names the methods of a path in `Allow`, and answers OPTIONS. Returns false for another method, which the caller refuses with
 * 405 (RFC 9110, sections 9.3.7 and 15.5.6).
 */
export function answerOptions(request: IncomingMessage, response: ServerResponse, allow: string): boolean {
  response.setHeader('Allow', allow);
  if (request.method !== 'OPTIONS') return false;
  response.writeHead(204, { 'Cache-Control': 'no-store' }).end();
  return true;
}
