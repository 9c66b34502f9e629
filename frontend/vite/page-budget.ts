import { gzipSync } from 'node:zlib';
import type { RouteManifest } from '@errata/backend/contract/routes.ts';
import type { Rolldown } from 'vite';

/** Most bytes of script that a page may load before it is complete, with gzip (docs/benchmarks.md). */
const MAX_BYTES = 120 * 1024;

interface PageSizes {
  /** A line for each page: bytes of its scripts, and how many more fit. */
  readonly lines: readonly string[];
  /** The lines of the pages that are larger than the limit. */
  readonly tooLarge: readonly string[];
}

/** Adds up the scripts of each page, those of the entry and of its own chunks. */
export function pageSizes(bundle: Rolldown.OutputBundle, { routes }: RouteManifest): PageSizes {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const sizes = new Map(
    chunks.map(({ fileName, code }) => [`/${fileName}`, gzipSync(code, { level: 9 }).length]),
  );
  const entries = chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => `/${fileName}`);
  const pages = routes.map(({ path, preload = [] }) => {
    const bytes = [...entries, ...preload].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
    return { bytes, line: `${path}: ${bytes} bytes of scripts, ${MAX_BYTES - bytes} below the limit` };
  });
  return {
    lines: pages.map(({ line }) => line),
    tooLarge: pages.filter(({ bytes }) => bytes > MAX_BYTES).map(({ line }) => line),
  };
}
