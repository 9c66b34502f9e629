import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of this file; empty where a bundler has made CommonJS, and {@link requireOwnFiles} then refuses the start. */
const FOLDER = (import.meta as Partial<ImportMeta>).dirname ?? '';

/** The folder with backend/ and frontend/; the same from the source and from the build. */
export const APPLICATION_ROOT = join(FOLDER, '..', '..', '..');

/** The client inside of the packed module (tools/pack.ts). */
const PACKED_CLIENT_DIR = join(FOLDER, '..', 'client');

/** Folder of the built-in client. */
export const DEFAULT_CLIENT_DIR = existsSync(PACKED_CLIENT_DIR)
  ? PACKED_CLIENT_DIR
  : join(APPLICATION_ROOT, 'frontend', 'dist');

const MANIFEST = join(FOLDER, '..', '..', 'package.json');
const manifest: unknown = existsSync(MANIFEST) ? JSON.parse(readFileSync(MANIFEST, 'utf8')) : null;

/** Version of this build; the release without `SENTRY_RELEASE`. */
export const BUILD_VERSION =
  typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '0.0.0';

/**
 * Checks that the package's own files are where its code looks for them: in one file with the code of an application, made by
 * a bundler, the code finds neither its threads nor its pages.
 *
 * @throws Error that says what to do.
 */
export function requireOwnFiles(folder = FOLDER): void {
  const worker = join(folder, '..', 'spool', 'db', 'spool.worker');
  if (existsSync(`${worker}.js`) || existsSync(`${worker}.ts`)) return;
  throw new Error(
    'Errata is bundled into a file of the application, without its threads and pages: list its package as external in the ' +
      'settings of the bundler, and install it where the bundle runs',
  );
}
