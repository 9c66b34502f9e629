import { BadRequestException } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { ClientFile, ClientFiles } from './client-files.ts';
import { acceptedCodings, SUFFIXES } from './content-coding.ts';
import type { IndexPage } from './index-page.ts';
import type { MatchedRoute, Routes } from './route-manifest.ts';
import { decodeSegments } from './url-path.ts';

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

  readonly deliver = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      next();
      return;
    }
    const segments = decodeSegments(request.path);
    if (segments === undefined) throw new BadRequestException('The encoding of the path is malformed.');
    const route = this.#routes.match(isIndexFile(segments) ? [] : segments);
    if (route !== undefined) {
      this.#sendIndex(request, response, route);
      return;
    }
    const file = this.#files.find(segments);
    if (file !== undefined) await this.#rewriteToFile(file, request, response);
    next();
  };

  #sendIndex(request: Request, response: Response, { noindex, link }: MatchedRoute): void {
    const [coding = 'identity'] = acceptedCodings(request.headers['accept-encoding']);
    const { body, etag } = this.#index.in(coding);
    response.set({ 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding', ETag: etag });
    if (coding !== 'identity') response.set('Content-Encoding', coding);
    if (link !== '') response.set('Link', link);
    if (noindex) response.set('X-Robots-Tag', 'noindex');
    response.type('html').send(body);
  }

  async #rewriteToFile(file: ClientFile, request: Request, response: Response): Promise<void> {
    const coding = await this.#files.codingOf(file, acceptedCodings(request.headers['accept-encoding']));
    if (file.codings.length > 0) response.vary('Accept-Encoding');
    if (coding !== undefined) response.set('Content-Encoding', coding);
    response.type(file.type);
    const path = file.path.split('/').map(encodeURIComponent).join('/');
    request.url = `${this.#mount}/${path}${coding === undefined ? '' : SUFFIXES[coding]}`;
  }
}

/** Service workers and links from elsewhere ask for the page `/` under the name of its file. */
function isIndexFile(segments: readonly string[]): boolean {
  return segments.length === 1 && segments[0] === 'index.html';
}
