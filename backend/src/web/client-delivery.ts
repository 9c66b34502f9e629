import { BadRequestException } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { negotiate } from '../errors/negotiate.ts';
import type { ClientFile, ClientFiles } from './client-files.ts';
import type { MatchedRoute, Routes } from './client-routes.ts';
import { acceptedCodings, SUFFIXES } from './content-coding.ts';
import { encodedPage, type IndexPage } from './index-page.ts';
import { decodeSegments } from './url-path.ts';

const INDEX = 'index.html';

/** The parts of one client. */
export interface ClientParts {
  readonly files: ClientFiles;
  readonly index: IndexPage;
  readonly routes: Routes;
  /** Returns whether a path is for this client. @param segments decoded. */
  readonly isItsPath: (segments: readonly string[]) => boolean;
  /** Sets the headers of a file, or of a page of the client, which is index.html. */
  readonly setHeaders: (path: string, request: Request, response: Response) => void;
  /** Returns the text of a file that is sent with the settings in it; undefined for all others. */
  readonly readPage: (file: ClientFile) => Promise<string | undefined>;
  /** Path of serve-static that only the server knows. */
  readonly mount: string;
}

/**
 * Middleware in front of serve-static. Rewrites the path of a listed file, or of its compressed variant, to the mount of
 * serve-static, and responds to the client's routes with index.html. The mount is a random path, so that a request for any
 * other path can never reach the disk.
 */
export class ClientDelivery {
  readonly #parts: ClientParts;

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  readonly deliver = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      next();
      return;
    }
    const segments = decodeSegments(request.path);
    if (segments === undefined) throw new BadRequestException('The encoding of the path is malformed.');
    const { files, isItsPath } = this.#parts;
    if (!isItsPath(segments)) {
      next();
      return;
    }
    const file = files.find(segments);
    if (file !== undefined) await this.#sendFile(file, request, response);
    else if (files.isFolder(segments)) redirectIntoFolder(segments, request, response);
    else this.#sendPage(segments, request, response);
    if (!response.headersSent) next();
  };

  #sendPage(segments: readonly string[], request: Request, response: Response): void {
    const route = this.#parts.routes.match(isIndexFile(segments) ? [] : segments);
    if (route === undefined) return;
    if (route.isGuess) response.vary('Accept').vary('Sec-Fetch-Dest');
    if (!route.isGuess || negotiate(request.headers, request.path) === 'html')
      this.#sendIndex(request, response, route);
  }

  #sendIndex(request: Request, response: Response, { noindex, link }: MatchedRoute): void {
    this.#parts.setHeaders(INDEX, request, response);
    const [coding = 'identity'] = acceptedCodings(request.headers['accept-encoding']);
    const { body, etag } = this.#parts.index.in(coding);
    response.set({ 'Cache-Control': 'no-cache', ETag: etag });
    response.vary('Accept-Encoding');
    if (coding !== 'identity') response.set('Content-Encoding', coding);
    if (link !== '') response.set('Link', link);
    if (noindex) response.set('X-Robots-Tag', 'noindex');
    response.type('html').send(body);
  }

  async #sendFile(file: ClientFile, request: Request, response: Response): Promise<void> {
    this.#parts.setHeaders(file.path, request, response);
    const html = await this.#parts.readPage(file);
    if (html === undefined) {
      await this.#rewriteToFile(file, request, response);
      return;
    }
    const { body, etag } = encodedPage(Buffer.from(html), 'identity');
    response.set({ 'Cache-Control': 'no-cache', ETag: etag }).type('html').send(body);
  }

  async #rewriteToFile(file: ClientFile, request: Request, response: Response): Promise<void> {
    const coding = await this.#parts.files.codingOf(
      file,
      acceptedCodings(request.headers['accept-encoding']),
    );
    if (file.codings.length > 0) response.vary('Accept-Encoding');
    if (coding !== undefined) response.set('Content-Encoding', coding);
    response.type(file.type);
    const path = file.path.split('/').map(encodeURIComponent).join('/');
    request.url = `${this.#parts.mount}/${path}${coding === undefined ? '' : SUFFIXES[coding]}`;
  }
}

/** Service workers and links from elsewhere ask for the page `/` under the name of its file. */
function isIndexFile(segments: readonly string[]): boolean {
  return segments.length === 1 && segments[0] === INDEX;
}

/** Adds the slash, without which the page's relative links would lead elsewhere. */
function redirectIntoFolder(segments: readonly string[], { originalUrl }: Request, response: Response): void {
  // Made of the names of the folder: with the request's own path `//other.example` would lead to another host.
  const path = `/${segments.map(encodeURIComponent).join('/')}/`;
  response.set('Cache-Control', 'no-cache').redirect(301, path + originalUrl.replace(/^[^?]*/, ''));
}
