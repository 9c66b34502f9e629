import type { NextFunction, Request, Response } from 'express';
import { accepts, type ClientFiles } from './client-files.ts';
import type { IndexPage } from './index-page.ts';
import type { MatchedRoute, Routes } from './route-manifest.ts';

/**
 * Middleware in front of serve-static. Responds to the client's routes with index.html, and rewrites the path of a listed
 * file, or of its compressed variant, to the mount of serve-static. The mount is a random path, so that a request for any
 * other path can never reach the disk.
 */
export class ClientDelivery {
  readonly #files: ClientFiles;
  readonly #index: IndexPage;
  readonly #routes: Routes;
  readonly #mount: string;

  constructor(files: ClientFiles, index: IndexPage, routes: Routes, mount: string) {
    this.#files = files;
    this.#index = index;
    this.#routes = routes;
    this.#mount = mount;
  }

  readonly deliver = (request: Request, response: Response, next: NextFunction): void => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const route = isRead ? this.#routes.match(request.path) : undefined;
    if (route !== undefined) {
      this.#sendIndex(request, response, route);
      return;
    }
    if (isRead && this.#files.serves(request.path)) this.#rewriteToFile(request, response);
    next();
  };

  #sendIndex(request: Request, response: Response, { noindex, link }: MatchedRoute): void {
    const codings = request.headers['accept-encoding'] ?? '';
    const coding = accepts(codings, 'br') ? 'br' : accepts(codings, 'gzip') ? 'gzip' : 'identity';
    const { body, etag } = this.#index.in(coding);
    response.set({ 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding', ETag: etag });
    if (coding !== 'identity') response.set('Content-Encoding', coding);
    if (link !== '') response.set('Link', link);
    if (noindex) response.set('X-Robots-Tag', 'noindex');
    response.type('html').send(body);
  }

  #rewriteToFile(request: Request, response: Response): void {
    const path = request.path;
    if (this.#files.hasVariants(path)) response.vary('Accept-Encoding');
    const variant = this.#files.variantOf(path, request.headers['accept-encoding'] ?? '');
    if (variant !== undefined) {
      response.type(path.slice(path.lastIndexOf('.')));
      response.set('Content-Encoding', variant.coding);
    }
    request.url = this.#mount + path + (variant?.suffix ?? '');
  }
}
