import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientRoutes } from '../contract/routes.ts';
import { clientFileStatus, readClientFile, withCompressedOnly } from './compressed-only.ts';
import { listFiles } from '../sourcemap/list-files.ts';
import { MANIFEST_NAME, readRoutes } from './route-manifest.ts';

/**
 * Checks that a folder holds a built client.
 *
 * @throws Error that names the file, when the folder or its index.html is missing, empty or of another kind, or routes.json
 *   is no list of routes.
 */
export function checkClient(clientDir: string, setting: ClientRoutes | null): void {
  const index = join(clientDir, 'index.html');
  const folder = statSync(clientDir, { throwIfNoEntry: false });
  const page = clientFileStatus(clientDir, 'index.html');
  if (folder === undefined) throw new Error(`${clientDir} does not exist`);
  if (!folder.isDirectory()) throw new Error(`${clientDir} is not a folder`);
  if (page === undefined) throw new Error(`${index} does not exist`);
  if (!page.isFile()) throw new Error(`${index} is not a file`);
  if (page.size === 0) throw new Error(`${index} is empty`);
  readClientFile(clientDir, 'index.html');
  readRoutes(clientDir, setting);
}

/** Returns whether a client has one HTML file and no routes: a single-page application then lacks all its other pages. */
export function hasOnePage(clientDir: string, setting: ClientRoutes | null): boolean {
  if (setting !== null || clientFileStatus(clientDir, MANIFEST_NAME) !== undefined) return false;
  const pages = withCompressedOnly(listFiles(clientDir)).filter(
    (path) => path.endsWith('.html') && path !== '404.html',
  );
  return pages.length === 1;
}
