import { json, type NextFunction, type Request, type Response } from 'express';

/** 200 issue keys need 14 KB of JSON, the longest note 10,000 characters of up to 4 bytes. */
const BODY_LIMIT = '64kb';

const parseJson = json({ inflate: false, limit: BODY_LIMIT });

/**
 * Parses the body of a request to the console. Not Express's own function: Nest adds no JSON parser to an application that
 * has middleware of its name (`isMiddlewareApplied` of platform-express), and the other paths need that parser.
 */
export function consoleBody(request: Request, response: Response, next: NextFunction): void {
  parseJson(request, response, next);
}

/** Forbids caches to store the console's responses: a proxy or a browser could show them after the sign-out. */
export function noStore(_: Request, response: Response, next: NextFunction): void {
  response.set('Cache-Control', 'no-store');
  next();
}
