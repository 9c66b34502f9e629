/**
 * One page of the client, as the build writes it to routes.json. The server responds with index.html to these paths and
 * with 404 to every other path.
 */
export interface ClientRoute {
  /**
   * Path pattern: literal segments and `:name` for one segment, either with `?` where it may be absent, and `*` at the
   * end for any rest.
   */
  readonly path: string;
  /** Whether it exists only with `ERRATA_DEMO=on`. */
  readonly demo?: boolean;
  /** Whether crawlers must not index it: the server adds `X-Robots-Tag: noindex`. */
  readonly noindex?: boolean;
  /**
   * Paths of the scripts and style sheets that this page needs and index.html does not name. The server lists them in a
   * `Link` header, so that the browser loads them at once and not only after the first scripts have run.
   */
  readonly preload?: readonly string[];
}

/** The file the frontend build writes and web/ reads. */
export interface RouteManifest {
  readonly routes: readonly ClientRoute[];
}

/** Where the pages of a client come from (`ERRATA_CLIENT_ROUTES`): its HTML files, every path, or a list of patterns. */
export type ClientRoutes = 'files' | 'spa' | readonly string[];

/** A path pattern, see {@link ClientRoute.path}. */
export const ROUTE_PATTERN = /^(\/[^/*]+)*\/\*?$|^(\/[^/*]+)+$/;
export const ROUTE_PATTERN_HINT = 'expected a path such as /orders/:id or /docs/*';

/** Returns whether a path belongs to the console: its pages, their files, its API. @param path without the base path. */
export function isConsolePath(path: string): boolean {
  return /^\/console(\/|$)/.test(path);
}

/** Demo routes behind the buttons of the home page; they exist only with `ERRATA_DEMO=on`. */
export const DEMO_SERVER_ERROR_PATH = '/demo/server-error';
export const DEMO_CLIENT_ERROR_PATH = '/demo/client-error';
export const DEMO_FAILED_REQUEST_PATH = '/demo/failed-request';
