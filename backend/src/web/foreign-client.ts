import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import type { ClientSettings } from '../contract/browser-settings.ts';
import type { HttpsOnly, PolicyDirectives, PolicyMode } from '../contract/page-policy.ts';
import type { ClientRoutes } from '../contract/routes.ts';
import type { ClientParts } from './client-delivery.ts';
import { ClientFiles } from './client-files.ts';
import { ClientPages } from './client-pages.ts';
import { CompressedFiles } from './compressed-files.ts';
import { readClientFile } from './compressed-only.ts';
import { ClientPolicy, type PolicyHeaders } from './client-policy.ts';
import { Routes } from './client-routes.ts';
import { IndexPage } from './index-page.ts';
import { readRoutes } from './route-manifest.ts';
import { foreignHeaders } from './security-headers.ts';

export interface ForeignOptions {
  readonly settings: ClientSettings;
  readonly httpsOnly: HttpsOnly | null;
  readonly routes: ClientRoutes | null;
  readonly policyMode: PolicyMode;
  readonly policyExtra: PolicyDirectives;
}

/** A page for unknown paths, and the headers of its policy. */
export interface NotFoundPage {
  readonly html: string;
  readonly headers: PolicyHeaders;
}

const INDEX = 'index.html';
const NOT_FOUND_PAGE = '404.html';

/** The client of another team, with the pages of whatever wrote it, as its folder was when it was read. */
export class ForeignClient {
  readonly #pages: ClientPages;
  readonly #policy: ClientPolicy;
  readonly #files: ClientFiles;
  readonly #compressed: CompressedFiles;
  readonly #index: IndexPage;
  readonly #routes: Routes;
  /** Sets the headers of all its responses. */
  readonly headers: RequestHandler;
  /** Its own page for unknown paths, if it has one. */
  readonly notFound: NotFoundPage | undefined;

  private constructor(clientDir: string, paths: readonly string[], options: ForeignOptions) {
    const { policyMode: mode, policyExtra: extra, settings } = options;
    this.#files = ClientFiles.read(clientDir, paths);
    this.#compressed = new CompressedFiles(clientDir, async (path) => {
      const html = await this.#pages.read(path);
      return html === undefined ? readFile(join(clientDir, path)) : Buffer.from(html);
    });
    this.#pages = ClientPages.read(clientDir, paths, settings);
    this.#policy = new ClientPolicy({ ...settings, mode, extra }, this.#pages.code);
    this.#index = new IndexPage(this.#pages.readNow(INDEX) ?? readClientFile(clientDir, INDEX));
    this.#routes = new Routes(readRoutes(clientDir, options.routes), settings.demo);
    this.headers = foreignHeaders(options.httpsOnly, this.#policy.headers());
    const html = this.#pages.readNow(NOT_FOUND_PAGE);
    const headers = this.#policy.headers(this.#pages.codeOf(NOT_FOUND_PAGE));
    this.notFound = html === undefined ? undefined : { html, headers };
  }

  /**
   * @param clientDir absolute, without links.
   * @param paths of all files below it.
   * @throws Error when a file that it needs is missing or broken.
   */
  static read(clientDir: string, paths: readonly string[], options: ForeignOptions): ForeignClient {
    return new ForeignClient(clientDir, paths, options);
  }

  /** Compresses its text files. */
  compress(signal: AbortSignal): Promise<void> {
    return this.#compressed.compress(this.#files.all, signal);
  }

  parts(isItsPath: (segments: readonly string[]) => boolean): ClientParts {
    return {
      files: this.#files,
      compressed: this.#compressed,
      index: this.#index,
      routes: this.#routes,
      isItsPath,
      setHeaders: (path, _, response) => {
        const code = this.#pages.codeOf(path);
        if (code !== undefined) response.set(this.#policy.headers(code));
        // Express's own set() would add UTF-8, which counts more than the page's declaration.
        if (this.#pages.hasOwnEncoding(path)) response.setHeader('Content-Type', 'text/html');
      },
      // A file that the build compressed is sent as the build wrote it.
      readPage: async ({ path, codings }) => (codings.length > 0 ? undefined : this.#pages.read(path)),
    };
  }
}
