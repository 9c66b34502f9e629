import { dirname, join } from 'node:path';

const SPECIFIER = /(?:\bfrom|\bimport|\bimport\(|\brequire\(|new URL\()\s*['"`](\.[^'"`\n]+)['"`]/g;
/** What the product starts by its path, although only a test may import it. */
const ENTRY = /\/src\/main\.tsx?$|\.worker\.ts$/;

/** The files of the project that a file names, by their paths. */
function importedBy(file: string, content: string): readonly string[] {
  return [...content.matchAll(SPECIFIER)].map(([, specifier = '']) => join(dirname(file), specifier));
}

/** The files below backend/src and frontend/src that tests import, and nothing but tests and such files. */
export function testHelpers(
  files: ReadonlyMap<string, string>,
  isTest: (file: string) => boolean,
): ReadonlySet<string> {
  const importers = new Map<string, string[]>();
  for (const [file, content] of files) {
    for (const imported of importedBy(file, content)) {
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  const helpers = new Set<string>();
  for (let before = -1; before !== helpers.size;) {
    before = helpers.size;
    for (const [file, by] of importers) {
      const isProduct = !/^(backend|frontend)\/src\//.test(file) || ENTRY.test(file) || !files.has(file);
      if (!isProduct && !isTest(file) && by.every((each) => isTest(each) || helpers.has(each)))
        helpers.add(file);
    }
  }
  return helpers;
}
