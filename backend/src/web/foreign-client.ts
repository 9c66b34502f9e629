import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import type { BrowserSettings } from '../contract/browser-settings.ts';
import type { HttpsOnly, PolicyDirectives, PolicyMode } from '../contract/page-policy.ts';
import type { ClientRoutes } from '../contract/routes.ts';
import { ClientFiles } from './client-files.ts';
import { scanPages } from './client-pages.ts';
import { ClientPolicy, type PolicyHeaders } from './client-policy.ts';
import { Routes } from './client-routes.ts';
import { IndexPage } from './index-page.ts';
import { listFiles } from './list-files.ts';
import { type MountedClient, mounted } from './mounted-client.ts';
import { readRoutes } from './route-manifest.ts';
import type { ScannedHtml } from './scan-html.ts';
import { foreignHeaders } from './security-headers.ts';

export interface ForeignOptions {
  readonly settings: BrowserSettings;
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

const NOT_FOUND_PAGE = '404.html';

/** The client of another team, with the pages of whatever wrote it. */
export class ForeignClient {
  readonly #clientDir: string;
  readonly #options: ForeignOptions;
  readonly #pages: ReadonlyMap<string, ScannedHtml>;
  readonly #policy: ClientPolicy;
  /** Sets the headers of all its responses. */
  readonly headers: RequestHandler;

  private constructor(clientDir: string, options: ForeignOptions) {
    const { policyMode: mode, policyExtra: extra, settings } = options;
    this.#clientDir = clientDir;
    this.#options = options;
    this.#pages = scanPages(clientDir, listFiles(clientDir));
    this.#policy = new ClientPolicy({ ...settings, mode, extra }, [...this.#pages.values()]);
    this.headers = foreignHeaders(options.httpsOnly, this.#policy.headers());
  }

  /** @param clientDir absolute, without links. */
  static read(clientDir: string, options: ForeignOptions): ForeignClient {
    return new ForeignClient(clientDir, options);
  }

  get notFound(): NotFoundPage | undefined {
    const page = this.#pages.get(NOT_FOUND_PAGE);
    if (page === undefined) return undefined;
    const html = readFileSync(join(this.#clientDir, NOT_FOUND_PAGE), 'utf8');
    return { html, headers: this.#policy.headers(page) };
  }

  mounted(isItsPath: (segments: readonly string[]) => boolean): MountedClient {
    const { settings, routes } = this.#options;
    return mounted(this.#clientDir, {
      files: ClientFiles.read(this.#clientDir),
      index: IndexPage.read(this.#clientDir, settings),
      routes: new Routes(readRoutes(this.#clientDir, routes), settings.demo),
      isItsPath,
      setHeaders: (path, _, response) => {
        const page = this.#pages.get(path);
        if (page !== undefined) response.set(this.#policy.headers(page));
      },
    });
  }
}
