/**
 * Normalises the path of a frame's file, so that it survives a build, an installation in another directory and
 * `--enable-source-maps`: `/srv/a/dist/orders/load.js`, `file:///srv/b/dist/orders/load.js` and
 * `C:\c\src\orders\load.ts` all become `orders/load`.
 */

/** Longer paths are hostile; PATH_MAX is 4,096 on Linux. */
const MAX_PATH_LENGTH = 4_096;

/** Files of the runtime or the browser, and names without a file: not the application's. */
const NOT_A_FILE =
  /^(?:$|<|\?|\[(?:eval|worker eval|stdin)\]|node:|native$|internal\/|evalmachine\.|eval at |eval code|index \d|unknown location|REPL\d|data:|blob:|wasm:|about:|javascript:|debugger |(?:chrome|moz|ms-browser|safari|safari-web)-extension:)/i;

/** Two letters at least: `C:` is a drive. */
const SCHEME = /^([a-z][a-z\d+.-]+):\/\/([^/]*)/i;
const DRIVE = /^[a-z]:$/i;
const LIBRARY = /(?:^|[\\/])node_modules[\\/]/;
const BUILD_FOLDER = /^(?:dist|src)$/;
const EXTENSION = /(?:\.min)?\.(?:[cm]?[jt]sx?|vue|svelte)$/i;

/** Content hashes of bundlers: 8 to 64 hex digits (webpack), or 8 symbols of base64url or base32 (Vite, esbuild). */
const HEX_HASH = /[-.](?=[a-f]*\d)[\da-f]{8,64}$/;
const SYMBOL_HASH = /[-.](?:[\w-](?=[\w-]*[A-Z])[\w-]{7}|(?=[a-z]*\d)[a-z\d]{8})$/;

/** A path in segments; `absolute` when it starts at the root of a file system. */
interface Segments {
  readonly absolute: boolean;
  readonly names: readonly string[];
}

/**
 * Returns the normalised path of the application's own file, or null for other files (`node:`, `node_modules`, native,
 * anonymous, browser extensions).
 *
 * Outside `root` an absolute path starts after its last `dist/` or `src/`, or is the file's name alone, so that no
 * installation directory enters the digest. A URL's path (`https://host/assets/index-ab12CD34.js`, `webpack://`,
 * `app://`) and a relative path are not shortened.
 */
export function ownPath(file: string, root: string): string | null {
  if (file.length > MAX_PATH_LENGTH || LIBRARY.test(file) || NOT_A_FILE.test(file)) return null;
  const { absolute, names } = segmentsOf(file);
  const inside = absolute ? belowRoot(names, segmentsOf(root).names) : names;
  const segments = inside.filter((name) => !BUILD_FOLDER.test(name));
  const last = segments.pop();
  if (last === undefined) return null;
  return [...segments, bareName(last)].join('/');
}

/** Returns whether the file's name contains a bundler's content hash and so identifies the content. */
export function namesContent(file: string): boolean {
  const stem = file.replace(/[?#].*$/s, '').replace(EXTENSION, '');
  return HEX_HASH.test(stem) || SYMBOL_HASH.test(stem);
}

function segmentsOf(file: string): Segments {
  const scheme = SCHEME.exec(file);
  const isFile = scheme === null || scheme[1]?.toLowerCase() === 'file';
  const path = scheme === null ? file.replaceAll('\\', '/') : decoded(file.slice(scheme[0].length));
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return { absolute: isFile && (path.startsWith('/') || DRIVE.test(names[0] ?? '')), names };
}

/** Returns a URL's path without query and fragment, decoded: node's own paths have a space for `%20`. */
function decoded(path: string): string {
  const bare = path.replace(/[?#].*$/s, '');
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}

function belowRoot(names: readonly string[], root: readonly string[]): readonly string[] {
  if (root.length > 0 && root.every((name, index) => isSameName(name, names[index])))
    return names.slice(root.length);
  const build = names.findLastIndex((name) => BUILD_FOLDER.test(name));
  return build === -1 ? names.slice(-1) : names.slice(build + 1);
}

function isSameName(a: string, b: string | undefined): boolean {
  return a === b || (DRIVE.test(a) && a.toLowerCase() === b?.toLowerCase());
}

function bareName(name: string): string {
  const stem = name.replace(/\?.*$/s, '').replace(EXTENSION, '');
  const bare = stem.replace(HEX_HASH, '').replace(SYMBOL_HASH, '');
  return bare === '' ? stem : bare;
}
