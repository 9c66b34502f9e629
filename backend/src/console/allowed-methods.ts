import { MethodNotAllowedException } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { CONSOLE_OIDC_RETURN_PATH, CONSOLE_OIDC_START_PATH } from '../contract/access-api.ts';
import { answerOptions } from '../net/answer-options.ts';
import { CONSOLE_OPENAPI_PATH, OPERATIONS } from './openapi/operations.ts';

/** Paths that the description of the API leaves out: itself, and navigations of a browser. */
const OTHER_READS = [CONSOLE_OPENAPI_PATH, CONSOLE_OIDC_START_PATH, CONSOLE_OIDC_RETURN_PATH];

/** All routes; Express too ignores case, and a slash at the end. */
const ROUTES = [...OPERATIONS, ...OTHER_READS.map((path) => ({ method: 'get', path }))].map(
  ({ method, path }) => ({
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}/?$`, 'i'),
    methods: method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
  }),
);

/**
 * Refuses a method that a path of the console's API does not have with 405, and answers OPTIONS: Nest's router knows no such
 * path, and would answer 404. A path of no route continues to that.
 */
export function refuseOtherMethods(request: Request, response: Response, next: NextFunction): void {
  const path = request.baseUrl + request.path;
  const methods = ROUTES.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
  if (methods.length === 0 || methods.includes(request.method)) next();
  else if (!answerOptions(request, response, [...methods, 'OPTIONS'].join(', ')))
    throw new MethodNotAllowedException();
}
