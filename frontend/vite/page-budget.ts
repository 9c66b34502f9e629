import { gzipSync } from 'node:zlib';
import type { RouteManifest } from '@errata/backend/contract/routes.ts';
import type { Rolldown } from 'vite';

/** Most bytes of script that a page may load before it is complete, with gzip (docs/benchmarks.md). */
const MAX_BYTES = 120 * 1024;

/** Returns a line for each page whose scripts, of the entry and of its own chunks, are larger than the limit. */
export function pagesOverBudget(bundle: Rolldown.OutputBundle, { routes }: RouteManifest): readonly string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const sizes = new Map(
    chunks.map(({ fileName, code }) => [`/${fileName}`, gzipSync(code, { level: 9 }).length]),
  );
  const entries = chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => `/${fileName}`);
  return routes.flatMap(({ path, preload = [] }) => {
    const bytes = [...entries, ...preload].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
    return bytes > MAX_BYTES ? [`${path} has ${bytes} bytes of scripts, the limit is ${MAX_BYTES}`] : [];
  });
}
