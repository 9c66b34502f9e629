import { BUNDLER_URL, sourceName } from './source-name.ts';

/** Two parts of one file have the same path (`cart.vue?script`). */
const QUERY = /[?#].*$/s;
const FILE_URL = /^file:\/\/[^/]*/i;
const ABSOLUTE = /^(?:\/|[a-z]:\/)/i;
/** End of a path in a folder and not in the root of a file system. */
const FOLDER = /\/[^/]+$/;
/** URL of a bundler without the name of a package: `webpack:///`. */
const NAMELESS = /^[a-z]+:\/\/\//i;
/** Paths that are relative to a project, after {@link NAMELESS}. Any other is absolute, as VS Code's debugger reads them. */
const OF_PROJECT = /^(?:[.~[(]|src\/|node_modules\/)/;

/**
 * Removes the folder that all absolute names of own sources share from these names: it is the directory of the build, and
 * the digest of a fault must not depend on it. Libraries do not count, because package managers keep some elsewhere.
 *
 * @param names of all sources of one map.
 */
export function removeSharedRoot(names: readonly string[]): string[] {
  const isTemplateAbsolute = !names.some((name) => isNameless(name) && OF_PROJECT.test(bareOf(name)));
  const paths = names.map((name) => absolutePath(name, isTemplateAbsolute));
  const own = paths.filter((path, index) => path !== null && sourceName(names[index] ?? '').isOwn);
  const root = sharedFolder(own.map((path) => path ?? ''));
  return names.map((name, index) => {
    const path = paths[index] ?? null;
    return root !== '' && path?.startsWith(`${root}/`) === true ? nameBelow(root, path) : name;
  });
}

/**
 * Returns the name of a file below the root. A file right in it keeps the name of the folder: a map often has one source,
 * and the digests of two files that are both called `page.tsx` differ by their folders.
 */
function nameBelow(root: string, path: string): string {
  const name = path.slice(root.length);
  const isRightBelow = name.replace(QUERY, '').lastIndexOf('/') === 0;
  return isRightBelow && FOLDER.test(root) ? root.slice(root.lastIndexOf('/')) + name : name;
}

/** Returns the path of an absolute name with `/`, or null. */
function absolutePath(name: string, isTemplateAbsolute: boolean): string | null {
  const bare = bareOf(name);
  if (ABSOLUTE.test(bare)) return bare;
  return isTemplateAbsolute && isNameless(name) ? `/${bare}` : null;
}

function isNameless(name: string): boolean {
  return NAMELESS.test(name) && BUNDLER_URL.test(name);
}

function bareOf(name: string): string {
  return name.replace(BUNDLER_URL, '').replace(FILE_URL, '').replaceAll('\\', '/');
}

/** Returns the deepest folder of all paths, without a slash at its end; '' if they share none. */
function sharedFolder(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.replace(QUERY, '').split('/').slice(0, -1));
  const length = others.reduce((shortest, folder) => {
    const difference = first.findIndex((part, index) => part !== folder[index]);
    return difference === -1 ? shortest : Math.min(shortest, difference);
  }, first.length);
  return first.slice(0, length).join('/');
}
