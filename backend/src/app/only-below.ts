import { NotFoundException } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

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
