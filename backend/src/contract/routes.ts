/**
 * One page of the client, as the build writes it to routes.json: the server answers index.html for these paths
 * and a real 404 for every other one.
 */
export interface ClientRoute {
  /** Path pattern: literal segments and `:name` for one segment. */
  readonly path: string;
  /** Exists only when the demo is switched on. */
  readonly demo?: boolean;
  /** Must not be indexed: the server adds `X-Robots-Tag: noindex`. */
  readonly noindex?: boolean;
  /**
   * Paths of the scripts and style sheets of this page beyond those index.html names: the server has the browser load
   * them along with the first ones, by a `Link` header, where they would come only after those have run.
   */
  readonly preload?: readonly string[];
}

/** The file the frontend build writes and web/ reads. */
export interface RouteManifest {
  readonly routes: readonly ClientRoute[];
}

/** version.json: what the client asks to learn whether a deploy took its chunks away. */
export interface ClientVersion {
  readonly release: string;
}

/** Demo requests behind the shell home's buttons; they exist only with `ERRATA_DEMO=on`. */
export const DEMO_SERVER_ERROR_PATH = '/demo/server-error';
export const DEMO_CLIENT_ERROR_PATH = '/demo/client-error';
export const DEMO_FAILED_REQUEST_PATH = '/demo/failed-request';
