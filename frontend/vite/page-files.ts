import type { Rolldown } from 'vite';

/**
 * Returns the paths of the scripts and style sheets that a page with its own chunk needs, except those of the entry.
 *
 * @param source the page's module, under src/
 * @throws when no chunk begins with it
 */
export function pageFiles(bundle: Rolldown.OutputBundle, source: string): readonly string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const page = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/${source}`) === true);
  if (page === undefined) throw new Error(`no chunk begins with src/${source}`);
  const needed = new Set([page]);
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
