import type { Rolldown } from 'vite';

/**
 * Returns the paths of the scripts and style sheets that a page with chunks of its own needs, except those of the entry.
 *
 * @param sources modules under src/ that the page imports
 * @throws when no chunk has one of them
 */
export function pageFiles(bundle: Rolldown.OutputBundle, sources: readonly string[]): readonly string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const needed = new Set(sources.map((source) => chunkOf(chunks, source)));
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
