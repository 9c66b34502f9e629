import type { IncomingMessage } from 'node:http';
import { NotFoundException } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
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

/**
 * Middleware that answers requests outside of the base path with a 404, before any other part sees them. The base path itself
 * gets its slash: without it the relative links of a page would lead out of it.
 */
export function onlyBelow(basePath: string) {
  return ({ baseUrl, originalUrl, method }: Request, response: Response, next: NextFunction): void => {
    const [path = '', ...query] = originalUrl.split('?');
    if (baseUrl !== basePath) next(new NotFoundException());
    else if (path !== '' && path === basePath && (method === 'GET' || method === 'HEAD'))
      response.set('Cache-Control', 'no-cache').redirect(301, [`${path}/`, ...query].join('?'));
    else next();
  };
}
