import type { Request } from 'express';
import { originForm } from '../net/request-target.ts';

/**
 * Returns the path that the client sent, without query. `request.path` is only the rest behind a mount inside of a
 * middleware, and another path after one that rewrites it.
 */
export function requestPath(request: Pick<Request, 'originalUrl'>): string {
  const [path = ''] = originForm(request.originalUrl).split('?', 1);
  return path;
}
