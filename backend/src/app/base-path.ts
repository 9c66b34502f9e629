import type { IncomingMessage } from 'node:http';
import { originForm } from '../net/request-target.ts';

/** A request below a base path, as Express describes one of a mounted application. */
export interface MountedRequest extends IncomingMessage {
  /** Path in front of `url`. */
  baseUrl?: string;
  /** URL with the base path. */
  originalUrl?: string;
}

/**
 * Takes the base path from the URL of a request, as Express does for a mounted application: handlers then find their own
 * paths in `url`, and links, redirects and cookies begin with `baseUrl`.
 *
 * @param basePath without a slash at its end; empty for none.
 * @returns whether the request is below the base path; otherwise it is unchanged.
 */
export function enterBasePath(request: MountedRequest, basePath: string): boolean {
  if (basePath === '') return true;
  const target = originForm(request.url ?? '');
  if (!target.startsWith(basePath)) return false;
  const rest = target.slice(basePath.length);
  if (rest !== '' && !rest.startsWith('/') && !rest.startsWith('?')) return false;
  request.originalUrl = target;
  request.baseUrl = basePath;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return true;
}
