import type { Rolldown } from 'vite';

/** Code of ours that pages of the console share. */
const SHARED = /[\\/]src[\\/](?:console|api|ui)[\\/]/;

/** Returns whether a module is part of one of these pages, over any number of imports. */
function isPartOf(pages: RegExp, id: string, graph: Rolldown.ChunkingContext): boolean {
  // Iterating over a set also visits the members that are added meanwhile.
  const parts = new Set([id]);
  for (const part of parts) {
    if (pages.test(part)) return true;
    graph.getModuleInfo(part)?.importers.forEach((importer) => parts.add(importer));
  }
  return false;
}

/** Groups the modules that these pages share with each other or with others. The group of a higher priority has them first. */
function sharedBy(name: string, pages: RegExp, priority: number) {
  return {
    name: (id: string, graph: Rolldown.ChunkingContext) => (isPartOf(pages, id, graph) ? name : null),
    debugName: name,
    test: SHARED,
    minShareCount: 2,
    priority,
  };
}

/**
 * Chunks: code of every page, one chunk for each page, the SDK, and code that pages share. By default the bundler makes
 * dozens of a few hundred bytes, each a request of its own. The answer page and Delivery have the least room
 * (page-budget.ts): they load nothing that only the others need.
 */
export const CHUNKS = [
  { name: 'index', tags: ['$initial' as const], priority: 4 },
  sharedBy('console', /(?:console-frame|answer-page)\.tsx$/, 3),
  sharedBy('delivery', /delivery-page\.tsx$/, 2),
  sharedBy('lists', /(?:find|issues|live|setup|account)-page\.tsx$/, 1),
];
