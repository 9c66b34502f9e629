import { extname } from 'node:path';
import { BadRequestException, MethodNotAllowedException } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { answerOptions, READS } from '../net/answer-options.ts';
import { asksForPage } from './asks-for-page.ts';
import { cacheControl, type ClientFile, type ClientFiles, mayBeStored } from './client-files.ts';
import type { MatchedRoute, Routes } from './client-routes.ts';
import type { CompressedFiles } from './compressed-files.ts';
import { acceptedCodings, type Coding, SUFFIXES } from './content-coding.ts';
import { encodedPage, type IndexPage } from './index-page.ts';
import type { StoredFiles } from './stored-files.ts';
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
}

/**
 * Middleware in front of serve-static. Rewrites the path of a listed file, or of its compressed variant, to the mount of
 * serve-static, and responds to the client's routes with index.html. The mount is a random path, so that a request for any
 * other path can never reach the disk.
 */
export class ClientDelivery {
  readonly #mount: string;
  readonly #current: () => ClientParts;
  readonly #stored: StoredFiles | null;

  /**
   * @param mount path of serve-static that only the server knows.
   * @param current returns the client as it is now.
   * @param stored the files of other builds; null where none are stored.
   */
  constructor(mount: string, current: () => ClientParts, stored: StoredFiles | null) {
    this.#mount = mount;
    this.#current = current;
    this.#stored = stored;
  }

  readonly deliver = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const segments = decodeSegments(request.path);
    if (segments === undefined) throw new BadRequestException('The encoding of the path is malformed.');
    const parts = this.#current();
    if (!parts.isItsPath(segments)) {
      next();
      return;
    }
    const file = parts.files.find(segments);
    const isFolder = file === undefined && parts.files.isFolder(segments);
    if (file === undefined && !isFolder) await this.#sendStored(segments, request, response);
    if (response.headersSent) return;
    const route = file === undefined && !isFolder ? routeFor(parts, segments, request, response) : undefined;
    const exists = file !== undefined || isFolder || route !== undefined;
    if (exists && !isRead(request)) refuseMethod(request, response);
    else if (file !== undefined) await this.#sendFile(parts, file, request, response);
    else if (isFolder) redirectIntoFolder(segments, request, response);
    else if (route !== undefined) sendIndex(parts, route, request, response);
    if (!response.headersSent) next();
  };

  async #sendFile(
    { files, setHeaders, compressed, readPage }: ClientParts,
    file: ClientFile,
    request: Request,
    response: Response,
  ): Promise<void> {
    const status = await files.statusOf(file);
    if (status === undefined) {
      await this.#sendStored(file.path.split('/'), request, response);
      return;
    }
    response.set('Cache-Control', file.cacheControl).type(file.type);
    setHeaders(file.path, request, response);
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
    if (html !== undefined) {
      sendPage(html, response);
      return;
    }
    const coding = await files.codingOf(file, accepted, status);
    if (file.codings.length > 0) response.vary('Accept-Encoding');
    if (coding !== undefined) response.set('Content-Encoding', coding);
    if (coding === undefined && file.onlyCoding !== null)
      await files.sendDecompressed(file.path, file.onlyCoding, request, response);
    else this.#rewrite(file, coding, request);
  }

  /** Sends a file of another build with the headers that it has in a folder, or nothing where none is stored. */
  async #sendStored(segments: readonly string[], request: Request, response: Response): Promise<void> {
    if (this.#stored === null || !mayBeStored(segments)) return;
    const path = segments.join('/');
    const file = await this.#stored.find(path, acceptedCodings(request.headers['accept-encoding']));
    if (file === undefined) return;
    if (!isRead(request)) {
      refuseMethod(request, response);
      return;
    }
    response.set({ 'Cache-Control': cacheControl(path), ETag: file.etag }).type(extname(path));
    if (file.varies) response.vary('Accept-Encoding');
    if (file.coding !== 'identity') response.set('Content-Encoding', file.coding);
    response.send(file.body);
  }

  #rewrite({ path }: ClientFile, coding: Coding | undefined, request: Request): void {
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    request.url = `${this.#mount}/${encoded}${coding === undefined ? '' : SUFFIXES[coding]}`;
  }
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Answers another method on a page or file. @throws MethodNotAllowedException unless it is OPTIONS. */
function refuseMethod(request: Request, response: Response): void {
  if (!answerOptions(request, response, READS)) throw new MethodNotAllowedException();
}

/** Returns the route of a path, unless only the client knows whether the path is a page and the request is for none. */
function routeFor(
  { routes }: ClientParts,
  segments: readonly string[],
  request: Request,
  response: Response,
): MatchedRoute | undefined {
  const route = routes.match(isIndexFile(segments) ? [] : segments);
  if (route?.isGuess !== true) return route;
  response.vary('Accept').vary('Sec-Fetch-Dest');
  return asksForPage(request.headers, request.path) ? route : undefined;
}

function sendIndex(
  { index, setHeaders }: ClientParts,
  { noindex, link }: MatchedRoute,
  request: Request,
  response: Response,
): void {
  response.type('html');
  setHeaders(INDEX, request, response);
  const [coding = 'identity'] = acceptedCodings(request.headers['accept-encoding']);
  const { body, etag } = index.in(coding);
  response.set({ 'Cache-Control': 'no-cache', ETag: etag });
  response.vary('Accept-Encoding');
  if (coding !== 'identity') response.set('Content-Encoding', coding);
  if (link !== '') response.set('Link', link.replaceAll('</', `<${request.baseUrl}/`));
  if (noindex) response.set('X-Robots-Tag', 'noindex');
  response.send(body);
}

function sendPage(html: string, response: Response): void {
  const { body, etag } = encodedPage(Buffer.from(html), 'identity');
  response.set('ETag', etag).send(body);
}

/** Service workers and links from elsewhere ask for the page `/` under the name of its file, with or without extension. */
function isIndexFile(segments: readonly string[]): boolean {
  return segments.length === 1 && (segments[0] === INDEX || `${segments[0]}.html` === INDEX);
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
