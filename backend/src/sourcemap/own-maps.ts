import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { MAP_SUFFIX, readText } from './client-maps.ts';
import type { LoadScript } from './source-mapper.ts';

const OWN_SCRIPT = /^(?!.*node_modules\/).*\.[cm]?js$/s;

/**
 * Loads the source maps that the compiler put beside Errata's own scripts, by their paths below `root`.
 *
 * No file outside of `root` is ever read, and none by a link within it: a path with `..` or a symbolic link in it
 * has no map. Libraries have none either: few ship the sources that their maps name.
 * The scripts themselves are not read: V8 names the functions of code that is not minified.
 */
export function ownMaps(root: string): LoadScript {
  return async (path) => {
    if (!OWN_SCRIPT.test(path)) return undefined;
    const mapPath = path + MAP_SUFFIX;
    const file = await fileBelow(root, mapPath);
    const map = file === undefined ? null : await readText(file);
    return map === null ? undefined : { map, code: null, mapPath };
  };
}

/** Undefined when there is none, or it is anywhere but where its path says. */
async function fileBelow(root: string, path: string): Promise<string | undefined> {
  try {
    const realRoot = await realpath(root);
    const file = await realpath(join(realRoot, path));
    return file === realRoot + sep + path.replaceAll('/', sep) ? file : undefined;
  } catch {
    return undefined;
  }
}
