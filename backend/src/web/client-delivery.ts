import { BadRequestException } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { negotiate } from '../errors/negotiate.ts';
import type { ClientFile, ClientFiles } from './client-files.ts';
import type { MatchedRoute, Routes } from './client-routes.ts';
import type { CompressedFiles } from './compressed-files.ts';
import { acceptedCodings, type Coding, SUFFIXES } from './content-coding.ts';
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
  /** Files that the server compresses, or null. */
  readonly compressed: CompressedFiles | null;
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
    if (link !== '') response.set('Link', link.replaceAll('</', `<${request.baseUrl}/`));
    if (noindex) response.set('X-Robots-Tag', 'noindex');
    response.type('html').send(body);
  }

  async #sendFile(file: ClientFile, request: Request, response: Response): Promise<void> {
    const { setHeaders, compressed, readPage } = this.#parts;
    setHeaders(file.path, request, response);
    response.set('Cache-Control', file.cacheControl).type(file.type);
    if (compressed !== null && file.isCompressible) response.vary('Accept-Encoding');
    const accepted = acceptedCodings(request.headers['accept-encoding']);
    // A part of a file is a part of its bytes on the disk.
    const made =
      request.headers.range === undefined ? await compressed?.find(file.path, accepted) : undefined;
    if (made !== undefined) {
      response.set({ 'Content-Encoding': made.coding, ETag: made.etag }).send(made.body);
      return;
    }
    const html = await readPage(file);
    if (html === undefined) await this.#rewriteToFile(file, accepted, request, response);
    else sendPage(html, response);
  }

  async #rewriteToFile(
    file: ClientFile,
    accepted: readonly Coding[],
    request: Request,
    response: Response,
  ): Promise<void> {
    const coding = await this.#parts.files.codingOf(file, accepted);
    if (file.codings.length > 0) response.vary('Accept-Encoding');
    if (coding !== undefined) response.set('Content-Encoding', coding);
    const path = file.path.split('/').map(encodeURIComponent).join('/');
    request.url = `${this.#parts.mount}/${path}${coding === undefined ? '' : SUFFIXES[coding]}`;
  }
}

function sendPage(html: string, response: Response): void {
  const { body, etag } = encodedPage(Buffer.from(html), 'identity');
  response.set('ETag', etag).send(body);
}

/** Service workers and links from elsewhere ask for the page `/` under the name of its file. */
function isIndexFile(segments: readonly string[]): boolean {
  return segments.length === 1 && segments[0] === INDEX;
}

/** Adds the slash, without which the page's relative links would lead elsewhere. */
function redirectIntoFolder(
  segments: readonly string[],
  { originalUrl, baseUrl }: Request,
  response: Response,
): void {
  // Made of the names of the folder: with the request's own path `//other.example` would lead to another host.
  const path = `${baseUrl}/${segments.map(encodeURIComponent).join('/')}/`;
  response.set('Cache-Control', 'no-cache').redirect(301, path + originalUrl.replace(/^[^?]*/, ''));
}
