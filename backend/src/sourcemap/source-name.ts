/** Scheme and package name of a bundler's artificial URL: `webpack://shop/./src/a.ts`. */
export const BUNDLER_URL = /^(?:webpack|rspack|turbopack|parcel|vite|rollup):\/\/[^/]*\//;
const LEADING_DOTS = /^(?:\.{0,2}\/)+/;

export interface SourceName {
  /** Relative to the root of the client's project, with `/`; files of libraries begin with `node_modules/`. */
  readonly file: string;
  /** Whether it is the application's own code, and not a library's or the bundler's. */
  readonly isOwn: boolean;
}

/**
 * Returns the name of a map's source for people and for the digest.
 *
 * Maps name sources relative to themselves (`../../src/app/home.tsx` beside `dist/assets/`). The number of `..`
 * depends on the layout of the build, the rest does not, so the `..` are removed. For a library the name starts at
 * the last `node_modules/`, because package managers add others before it.
 */
export function sourceName(source: string): SourceName {
  const bare = source
    .replace(/[?#].*$/s, '')
    .replaceAll('\\', '/')
    .replace(BUNDLER_URL, '');
  const library = bare.lastIndexOf('node_modules/');
  if (library !== -1) return { file: bare.slice(library), isOwn: false };
  // "\0" starts the name of a virtual module of a bundler's plugin.
  if (bare.includes('\0') || !/\.\w+$/.test(bare)) return { file: bare.replaceAll('\0', ''), isOwn: false };
  return { file: bare.replace(LEADING_DOTS, ''), isOwn: true };
}

/** Maximum number of folders of a script's path; a hostile URL can have thousands. */
const MAX_DEPTH = 10;

/**
 * Returns the candidates for a script's path below its client, the longest first. The client may be served below any
 * path, so the first segments of the URL may not belong to it.
 */
export function scriptPathsIn(url: string): readonly string[] {
  const segments = (URL.parse(url)?.pathname ?? '').split('/').slice(-MAX_DEPTH);
  return segments.map((_, index) => segments.slice(index).join('/')).filter((path) => path !== '');
}

/** Normalises a debug id for comparison: bundlers and SDKs write it with or without hyphens, in either case. */
export function bareDebugId(debugId: string): string {
  return debugId.toLowerCase().replaceAll('-', '');
}
