/** Scheme of a bundler's made-up URL with the package's name behind it: `webpack://shop/./src/a.ts`. */
const BUNDLER_URL = /^(?:webpack|rspack|turbopack|parcel|vite|rollup):\/\/[^/]*\//;
const LEADING_DOTS = /^(?:\.{0,2}\/)+/;

export interface SourceName {
  /** Relative to the root of the client's project, with `/`; a library's begins with `node_modules/`. */
  readonly file: string;
  /** The application's own code: no library, no code the bundler put in. */
  readonly isOwn: boolean;
}

/**
 * A source's name out of a map, as people and the digest know it.
 *
 * Maps name sources relative to themselves (`../../src/app/home.tsx` beside `dist/assets/`). How many steps up
 * it is depends on the layout of the build, what stands behind them does not: so the steps are dropped. Of a
 * library only the last `node_modules/…` counts, since package managers put others before it.
 */
export function sourceName(source: string): SourceName {
  const bare = source
    .replace(/[?#].*$/s, '')
    .replaceAll('\\', '/')
    .replace(BUNDLER_URL, '');
  const library = bare.lastIndexOf('node_modules/');
  if (library !== -1) return { file: bare.slice(library), isOwn: false };
  // "\0" begins the name of a module that a bundler's plugin made up.
  if (bare.includes('\0') || !/\.\w+$/.test(bare)) return { file: bare.replaceAll('\0', ''), isOwn: false };
  return { file: bare.replace(LEADING_DOTS, ''), isOwn: true };
}

/** Folders a script lies in; a hostile URL has a thousand. */
const MAX_DEPTH = 10;

/**
 * What may be a script's path below its client, the longest first: the client may be served below any path, so that
 * leading segments of the URL may be too many.
 */
export function scriptPathsIn(url: string): readonly string[] {
  const segments = (URL.parse(url)?.pathname ?? '').split('/').slice(-MAX_DEPTH);
  return segments.map((_, index) => segments.slice(index).join('/')).filter((path) => path !== '');
}

/** A debug id as it is compared: bundlers and SDKs write it with hyphens or without, in either case. */
export function bareDebugId(debugId: string): string {
  return debugId.toLowerCase().replaceAll('-', '');
}
