import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder that holds backend/ and frontend/, from the source and from the build alike. */
export const APPLICATION_ROOT = join(import.meta.dirname, '..', '..', '..');

/** The built-in client. */
export const DEFAULT_CLIENT_DIR = join(APPLICATION_ROOT, 'frontend', 'dist');

const manifest: unknown = JSON.parse(readFileSync(join(APPLICATION_ROOT, 'backend', 'package.json'), 'utf8'));

/** Version of this build; the release where `SENTRY_RELEASE` is not set. */
export const BUILD_VERSION =
  typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '0.0.0';
