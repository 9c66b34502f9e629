import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder with backend/ and frontend/; the same from the source and from the build. */
export const APPLICATION_ROOT = join(import.meta.dirname, '..', '..', '..');

/** Folder of the built-in client. */
export const DEFAULT_CLIENT_DIR = join(APPLICATION_ROOT, 'frontend', 'dist');

const manifest: unknown = JSON.parse(readFileSync(join(APPLICATION_ROOT, 'backend', 'package.json'), 'utf8'));

/** Version of this build; the release without `SENTRY_RELEASE`. */
export const BUILD_VERSION =
  typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '0.0.0';
