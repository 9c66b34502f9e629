import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientRoutes } from '../contract/routes.ts';
import { listFiles } from './list-files.ts';
import { MANIFEST_NAME, readRoutes } from './route-manifest.ts';

/**
 * Checks that a folder holds a built client.
 *
 * @throws Error that names the file, when the folder or its index.html is missing, empty or of another kind, or routes.json
 *   is no list of routes.
 */
export function checkClient(clientDir: string, setting: ClientRoutes | null): void {
  const index = join(clientDir, 'index.html');
  const [folder, page] = [clientDir, index].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (folder === undefined) throw new Error(`${clientDir} does not exist`);
  if (!folder.isDirectory()) throw new Error(`${clientDir} is not a folder`);
  if (page === undefined) throw new Error(`${index} does not exist`);
  if (!page.isFile()) throw new Error(`${index} is not a file`);
  if (page.size === 0) throw new Error(`${index} is empty`);
  readRoutes(clientDir, setting);
}

/** Returns whether a client has one HTML file and no routes: a single-page application then lacks all its other pages. */
export function hasOnePage(clientDir: string, setting: ClientRoutes | null): boolean {
  if (setting !== null || existsSync(join(clientDir, MANIFEST_NAME))) return false;
  const pages = listFiles(clientDir).filter((path) => path.endsWith('.html') && path !== '404.html');
  return pages.length === 1;
}
