import { isConsolePath } from '@errata/backend/contract/routes.ts';
import type { Rolldown } from 'vite';

const FRAME = 'console/shell/console-frame.tsx';
/** Modules under src/ of the console's pages, by path. The route table, which the browser loads, does not need them. */
const PAGES: Readonly<Record<string, string>> = {
  '/console': 'console/find/find-page.tsx',
  '/console/e/:digest': 'console/answer/answer-page.tsx',
  '/console/issues': 'console/issues/issues-page.tsx',
  '/console/live': 'console/live/live-page.tsx',
  '/console/delivery': 'console/delivery/delivery-page.tsx',
  '/console/setup': 'console/setup/setup-page.tsx',
  '/console/account': 'console/account/account-page.tsx',
  '/console/sign-in': 'console/sign-in/sign-in-page.tsx',
};

/**
 * Returns the paths of the scripts and style sheets that the page of a route needs, except those of the entry.
 *
 * @throws when a page of the console is not in the list, or has no chunk
 */
export function pageFiles(bundle: Rolldown.OutputBundle, path: string): readonly string[] {
  if (!isConsolePath(path)) return [];
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const needed = new Set([FRAME, PAGES[path] ?? path].map((source) => chunkOf(chunks, source)));
  // Iterating over a set also visits the members that are added meanwhile.
  for (const { imports } of needed) {
    for (const chunk of chunks) if (!chunk.isEntry && imports.includes(chunk.fileName)) needed.add(chunk);
  }
  const files = [...needed].flatMap(({ fileName, viteMetadata }) => [
    fileName,
    ...(viteMetadata?.importedCss ?? []),
  ]);
  return files.map((file) => `/${file}`);
}

function chunkOf(chunks: readonly Rolldown.OutputChunk[], source: string): Rolldown.OutputChunk {
  const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/src/${source}`)));
  if (chunk === undefined) throw new Error(`no chunk has src/${source}`);
  return chunk;
}
