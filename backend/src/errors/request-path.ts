import type { Request } from 'express';

/** Scheme and host of a request target in absolute form (RFC 9112, section 3.2.2). */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i;

/**
 * Returns the path that the client sent, without query. `request.path` is only the rest behind a mount inside of a
 * middleware, and another path after one that rewrites it.
 */
export function requestPath(request: Pick<Request, 'originalUrl'>): string {
  const [path = ''] = request.originalUrl.replace(ORIGIN, '').split('?', 1);
  return path === '' ? '/' : path;
}
