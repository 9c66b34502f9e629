import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ServeStaticModuleOptions } from '@nestjs/serve-static';
import type { Request, RequestHandler, Response } from 'express';
import type { BrowserSettings, ClientSettings } from '../contract/browser-settings.ts';
import type { HttpsOnly, PolicyDirectives, PolicyMode } from '../contract/page-policy.ts';
import type { ClientRoutes } from '../contract/routes.ts';
import { ClientDelivery, type ClientParts } from './client-delivery.ts';
import { ClientFiles, type HashedFile } from './client-files.ts';
import { Routes } from './client-routes.ts';
import { CurrentClient } from './current-client.ts';
import { ForeignClient, type NotFoundPage } from './foreign-client.ts';
import { IndexPage, notFoundPage } from './index-page.ts';
import { readRoutes } from './route-manifest.ts';
import type { StoredFiles } from './stored-files.ts';
import { builtInHeaders, pageHeaders, TWO_YEARS } from './security-headers.ts';

export interface WebOptions {
  /** Another team's client, or the built-in one. */
  readonly clientDir: string;
  /** The built-in client, which always serves the console's pages. */
  readonly builtInDir: string;
  readonly settings: BrowserSettings;
  /** Release of another team's client, null where no setting gives one. */
  readonly clientRelease: string | null;
  /** `ERRATA_HSTS`; null where it is not set. */
  readonly httpsOnly: HttpsOnly | 'off' | null;
  /** `ERRATA_CLIENT_ROUTES`, null where it is not set, and the policy: for another team's client. */
  readonly routes: ClientRoutes | null;
  readonly policyMode: PolicyMode;
  readonly policyExtra: PolicyDirectives;
  /** The files of other builds, null where none are stored. */
  readonly stored: StoredFiles | null;
  /** Is called after another team's client was read again. @param error its failure; undefined: it has succeeded. */
  readonly onReload: (error: unknown) => void;
}

/** Files of a client that pages of its build may need after the next one. */
interface HashedFolder {
  readonly root: string;
  readonly files: readonly HashedFile[];
}

/** A client: its pages, and its files below a path that only the server knows. */
interface MountedClient {
  readonly delivery: ClientDelivery;
  /** Returns the files of its present build whose names may have a content hash. */
  readonly hashed: () => HashedFolder;
  readonly files: ServeStaticModuleOptions & { readonly serveRoot: string; readonly rootPath: string };
}

/** All that is served beside the API. */
export interface ServedClients {
  readonly clients: readonly MountedClient[];
  /** Sets the headers of a response before its content is known. */
  readonly headers: RequestHandler;
  /** Compresses files after the start. */
  readonly compress?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Returns the not-found page of the client that has the path, if it has one. @param path without the base path. */
  readonly notFound: (path: string) => NotFoundPage | undefined;
}

/** Returns whether a path is of the console's pages, its API, or the files of the built-in client (`console/assets`). */
const isConsolePath = ([first]: readonly string[]): boolean => first === 'console';

/** Reads the clients to serve: another team's client first, then the built-in one for the console and its files. */
export function servedClients(options: WebOptions): ServedClients {
  const { builtInDir, settings, httpsOnly, stored } = options;
  // One folder has many spellings: with a trailing slash, relative, through a link.
  const [own, builtIn] = [realpathSync(options.clientDir), realpathSync(builtInDir)];
  if (own === builtIn) {
    const headers = builtInHeaders(httpsOnly === 'off' ? null : (httpsOnly ?? TWO_YEARS));
    const client = builtInClient({ clientDir: own, settings, isItsPath: () => true, stored });
    return { clients: [client], headers: pageHeaders(headers, headers), notFound: client.notFound };
  }
  const ofHost = httpsOnly === 'off' ? null : httpsOnly;
  const clientDir = resolve(options.clientDir);
  const client = new CurrentClient({
    clientDir,
    read: (root, paths) =>
      ForeignClient.read(root, paths, { ...options, settings: settingsOf(options), httpsOnly: ofHost }),
    onReload: options.onReload,
  });
  const consoleHeaders = builtInHeaders(ofHost);
  const clientHeaders: RequestHandler = (request, response, next) =>
    client.get().headers(request, response, next);
  const ofConsole = builtInClient({
    clientDir: builtIn,
    settings,
    isItsPath: isConsolePath,
    headers: consoleHeaders,
    stored,
  });
  return {
    clients: [
      mounted(clientDir, () => client.get().parts((segments) => !isConsolePath(segments)), stored),
      ofConsole,
    ],
    headers: pageHeaders(clientHeaders, consoleHeaders),
    compress: (signal) => client.compress(signal),
    notFound: (path) => ofConsole.notFound(path) ?? client.get().notFound,
  };
}

function settingsOf({ settings, clientRelease }: WebOptions): ClientSettings {
  const { release: _ofErrata, ...others } = settings;
  return clientRelease === null ? others : { ...others, release: clientRelease };
}

/** Reads the built-in client for another application, which has pages of its own: only the console's pages are served. */
export function mountedConsole(builtInDir: string, settings: BrowserSettings): MountedClient {
  const clientDir = realpathSync(builtInDir);
  return builtInClient({ clientDir, settings, isItsPath: isConsolePath, stored: null });
}

interface BuiltInOptions extends Pick<ClientParts, 'isItsPath'> {
  readonly clientDir: string;
  readonly settings: BrowserSettings;
  readonly stored: StoredFiles | null;
  /** Sets the headers of its files and pages, where other headers are set before. */
  readonly headers?: RequestHandler;
}

function builtInClient({ clientDir, settings, isItsPath, headers, stored }: BuiltInOptions) {
  const index = IndexPage.read(clientDir, settings);
  // The response has the headers of the console. Its frame, with the navigation, is drawn around the text.
  const notFound = { html: notFoundPage(index), headers: {} };
  const parts = {
    files: ClientFiles.read(clientDir),
    index,
    routes: new Routes(readRoutes(clientDir, null), settings.demo),
    isItsPath,
    setHeaders: (_: string, request: Request, response: Response) => headers?.(request, response, () => {}),
    readPage: async () => undefined,
    // The build compresses its files.
    compressed: null,
  };
  return {
    ...mounted(clientDir, () => parts, stored),
    notFound: (path: string) => (isConsolePath(path.split('/').slice(1)) ? notFound : undefined),
  };
}

/**
 * @param clientDir absolute. A link in it is followed for each file, so that a deploy can swap it.
 * @param current returns the client as it is now.
 * @param stored the files of other builds; null where none are stored.
 */
function mounted(clientDir: string, current: () => ClientParts, stored: StoredFiles | null): MountedClient {
  const mount = `/${randomUUID()}`;
  return {
    delivery: new ClientDelivery(mount, current, stored),
    hashed: () => {
      const { files, isItsPath } = current();
      return { root: files.root, files: files.hashed.filter(({ path }) => isItsPath(path.split('/'))) };
    },
    files: {
      rootPath: clientDir,
      serveRoot: mount,
      // Serve-static only sends files: IndexPage has index.html, and a missing file continues to the 404.
      exclude: ['{*path}'],
      serveStaticOptions: {
        index: false,
        redirect: false,
        cacheControl: false,
        // ClientFiles decides which of them may be sent.
        dotfiles: 'allow',
      },
    },
  };
}
