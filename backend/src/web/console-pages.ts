import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { BrowserSettings } from '../contract/browser-settings.ts';
import { isConsolePath } from '../contract/routes.ts';
import { mountedConsole } from './served-clients.ts';
import { consoleHeaders } from './security-headers.ts';

/**
 * Returns middleware for another application that serves the pages of the console and their files. Every other path must
 * reach the application unchanged and without a header, also one in the same folder.
 */
export function consolePages(builtInDir: string, settings: BrowserSettings): RequestHandler {
  const { delivery, files } = mountedConsole(builtInDir, settings);
  const deliver = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    if (isConsolePath(request.path)) await delivery.deliver(request, response, next);
    else next();
  };
  return express
    .Router({ caseSensitive: true })
    .use('/console', consoleHeaders)
    .use(deliver)
    .use(files.serveRoot, consoleHeaders, express.static(files.rootPath, files.serveStaticOptions));
}
