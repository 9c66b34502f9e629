import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientRoutes } from '../contract/routes.ts';
import { listFiles } from './list-files.ts';
import { MANIFEST_NAME, readRoutes } from './route-manifest.ts';

/**
 * Checks that a folder holds a built client.
 *
 * @throws Error that names the file, when the folder or its index.html is missing or routes.json is no list of routes.
 */
export function checkClient(clientDir: string, setting: ClientRoutes | null): void {
  const missing = [clientDir, join(clientDir, 'index.html')].find((path) => !existsSync(path));
  if (missing !== undefined) throw new Error(`${missing} does not exist`);
  readRoutes(clientDir, setting);
}

/** Returns whether a client has one HTML file and no routes: a single-page application then lacks all its other pages. */
export function hasOnePage(clientDir: string, setting: ClientRoutes | null): boolean {
  if (setting !== null || existsSync(join(clientDir, MANIFEST_NAME))) return false;
  const pages = listFiles(clientDir).filter((path) => path.endsWith('.html') && path !== '404.html');
  return pages.length === 1;
}
