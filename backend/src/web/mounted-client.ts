import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import type { ServeStaticModuleOptions } from '@nestjs/serve-static';
import type { BrowserSettings } from '../contract/browser-settings.ts';
import { ClientDelivery } from './client-delivery.ts';
import { ClientFiles } from './client-files.ts';
import { hasContentHash } from './content-hash.ts';
import { IndexPage } from './index-page.ts';
import { Routes } from './client-routes.ts';
import { readRoutes } from './route-manifest.ts';
import type { ClientRoutes } from '../contract/routes.ts';

export interface WebOptions {
  /** Another team's client, or the built-in one. */
  readonly clientDir: string;
  /** The built-in client, which always serves the console's pages. */
  readonly builtInDir: string;
  /** `ERRATA_CLIENT_ROUTES`, for another team's client; null where it is not set. */
  readonly routes: ClientRoutes | null;
  readonly settings: BrowserSettings;
}

/** A client: its pages, and its files below a path that only the server knows. */
export interface MountedClient {
  readonly delivery: ClientDelivery;
  readonly files: ServeStaticModuleOptions & { readonly serveRoot: string; readonly rootPath: string };
}

/** Folder of the files that the console's pages load; their names have content hashes. */
const CONSOLE_FILES = 'assets';

type IsItsPath = (segments: readonly string[]) => boolean;
const isConsolePath: IsItsPath = ([first]) => first === 'console';
const isBuiltInPath: IsItsPath = (segments) => isConsolePath(segments) || segments[0] === CONSOLE_FILES;

/** Reads the clients to serve: another team's client first, then the built-in one for the console and its files. */
export function mountedClients(options: WebOptions): readonly MountedClient[] {
  const { clientDir, builtInDir, settings } = options;
  // One folder has many spellings: with a trailing slash, relative, through a link.
  const [own, builtIn] = [realpathSync(clientDir), realpathSync(builtInDir)];
  if (own === builtIn) return [mounted(own, settings, () => true, null)];
  return [
    mounted(own, settings, (segments) => !isConsolePath(segments), options.routes),
    mounted(builtIn, settings, isBuiltInPath, null),
  ];
}

/** Reads the built-in client for another application, which has pages of its own: only the console's pages are served. */
export function mountedConsole(builtInDir: string, settings: BrowserSettings): MountedClient {
  return mounted(realpathSync(builtInDir), settings, isBuiltInPath, null);
}

/** @param clientDir absolute, without links. */
function mounted(
  clientDir: string,
  settings: BrowserSettings,
  isItsPath: IsItsPath,
  setting: ClientRoutes | null,
): MountedClient {
  const mount = `/${randomUUID()}`;
  const routes = new Routes(readRoutes(clientDir, setting), settings.demo);
  const files = ClientFiles.read(clientDir);
  const index = IndexPage.read(clientDir, settings);
  return {
    delivery: new ClientDelivery({ files, index, routes, isItsPath, mount }),
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
        setHeaders: (response: ServerResponse, path: string) =>
          response.setHeader('Cache-Control', cacheControl(path, clientDir)),
      },
    },
  };
}

/** Files with a content hash in their name never change; browsers must revalidate all others. */
function cacheControl(path: string, clientDir: string): string {
  if (hasContentHash(basename(path).replace(/\.(br|gz)$/, ''))) return 'public, max-age=31536000, immutable';
  return path === join(clientDir, 'version.json') ? 'no-store' : 'no-cache';
}
