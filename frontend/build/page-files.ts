import type { Rolldown } from 'vite';

/**
 * Paths of the scripts and style sheets that a page with a chunk of its own needs, the entry's excepted.
 *
 * @param source the page's module, under src/
 * @throws when no chunk begins with it
 */
export function pageFiles(bundle: Rolldown.OutputBundle, source: string): readonly string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const page = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/${source}`) === true);
  if (page === undefined) throw new Error(`no chunk begins with src/${source}`);
  const needed = new Set([page]);
  // A set that grows is gone through to its end.
  for (const { imports } of needed) {
    for (const chunk of chunks) if (!chunk.isEntry && imports.includes(chunk.fileName)) needed.add(chunk);
  }
  const files = [...needed].flatMap(({ fileName, viteMetadata }) => [
    fileName,
    ...(viteMetadata?.importedCss ?? []),
  ]);
  return files.map((file) => `/${file}`);
}
