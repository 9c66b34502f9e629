import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { MAP_SUFFIX, readText } from './client-maps.ts';
import type { LoadScript } from './source-mapper.ts';

const OWN_SCRIPT = /^(?!.*node_modules\/).*\.[cm]?js$/s;

/**
 * Loads the source maps that the compiler wrote beside Errata's own scripts, by their paths below `root`.
 *
 * Never reads a file outside of `root`: a path with `..` or with a symbolic link has no map (path traversal).
 * Libraries have none either, because few ship the sources of their maps. The scripts are not read: their code is not
 * minified, so V8 names the functions.
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

/** Returns the real path of a file below `root`. Undefined if it does not exist, or if its real path is another one. */
async function fileBelow(root: string, path: string): Promise<string | undefined> {
  try {
    const realRoot = await realpath(root);
    const file = await realpath(join(realRoot, path));
    return file === realRoot + sep + path.replaceAll('/', sep) ? file : undefined;
  } catch {
    return undefined;
  }
}
