import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder with backend/ and frontend/; the same from the source and from the build. */
export const APPLICATION_ROOT = join(import.meta.dirname, '..', '..', '..');

/** The client inside of the packed module (tools/pack.ts). */
const PACKED_CLIENT_DIR = join(import.meta.dirname, '..', 'client');

/** Folder of the built-in client. */
export const DEFAULT_CLIENT_DIR = existsSync(PACKED_CLIENT_DIR)
  ? PACKED_CLIENT_DIR
  : join(APPLICATION_ROOT, 'frontend', 'dist');

const manifest: unknown = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
);

/** Version of this build; the release without `SENTRY_RELEASE`. */
export const BUILD_VERSION =
  typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '0.0.0';
