import { json, type NextFunction, type Request, type RequestHandler, type Response } from 'express';

/** 200 issue keys need 14 KB of JSON, the longest note 10,000 characters of up to 4 bytes. */
const BODY_LIMIT = '64kb';

/** Parses the body of a request to the console. */
export const consoleBody: RequestHandler = json({ inflate: false, limit: BODY_LIMIT });

/** Forbids caches to store the console's responses: a proxy or a browser could show them after the sign-out. */
export function noStore(_: Request, response: Response, next: NextFunction): void {
  response.set('Cache-Control', 'no-store');
  next();
}
