import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { ServeStaticModuleOptions } from '@nestjs/serve-static';
import type { BrowserSettings } from '../contract/browser-settings.ts';
import { ClientDelivery } from './client-delivery.ts';
import { ClientFiles } from './client-files.ts';
import { IndexPage } from './index-page.ts';
import { Routes } from './route-manifest.ts';

/** Files with a content hash in their name never change; browsers must revalidate all others. */
const HASHED = /-[\w-]{8}\.\w+(\.(br|gz))?$/;

export interface WebOptions {
  /** Another team's client, or the built-in one. */
  readonly clientDir: string;
  /** The built-in client, which always serves the console's pages. */
  readonly builtInDir: string;
  readonly settings: BrowserSettings;
}

/** A client: its pages, and its files below a path that only the server knows. */
export interface MountedClient {
  readonly delivery: ClientDelivery;
  readonly files: ServeStaticModuleOptions;
}

const isAnyPage = (): boolean => true;
const isConsolePage = (path: string): boolean => path === '/console' || path.startsWith('/console/');
const isNoConsolePage = (path: string): boolean => !isConsolePage(path);

/** Reads the clients to serve: another team's client first, then the built-in one for the console and its files. */
export function mountedClients({ clientDir, builtInDir, settings }: WebOptions): readonly MountedClient[] {
  if (clientDir === builtInDir) return [mounted(clientDir, settings, isAnyPage)];
  return [mounted(clientDir, settings, isNoConsolePage), mounted(builtInDir, settings, isConsolePage)];
}

function mounted(
  clientDir: string,
  settings: BrowserSettings,
  isItsPage: (path: string) => boolean,
): MountedClient {
  const mount = `/${randomUUID()}`;
  const routes = Routes.read(clientDir, { demo: settings.demo, isItsPage });
  const index = IndexPage.read(clientDir, settings);
  return {
    delivery: new ClientDelivery(ClientFiles.read(clientDir), index, routes, mount),
    files: {
      rootPath: clientDir,
      serveRoot: mount,
      // Serve-static only sends files: IndexPage has index.html, and a missing file continues to the 404.
      exclude: ['{*path}'],
      serveStaticOptions: { index: false, redirect: false, cacheControl: false, setHeaders },
    },
  };
}

function setHeaders(response: ServerResponse, path: string): void {
  const isVersion = path.endsWith('version.json');
  const immutable = 'public, max-age=31536000, immutable';
  response.setHeader('Cache-Control', HASHED.test(path) ? immutable : isVersion ? 'no-store' : 'no-cache');
}
