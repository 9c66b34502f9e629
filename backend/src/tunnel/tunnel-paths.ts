import { canonicalDsn, parseDsn, tunnelHashPath } from '../envelope/dsn.ts';
import { originForm } from '../net/request-target.ts';
import type { AllowedProject } from './allow-list.ts';

/** The body that a path accepts: an envelope, a single event (the format before envelopes), or browser reports. */
type BodyKind = 'envelope' | 'store' | 'reports';

/** One path of the tunnel, and the client's data in the URL. */
export interface Route {
  readonly accepts: BodyKind;
  /** Project of `/api/<project>/…`; null for other paths. */
  readonly projectId: string | null;
  /** Query without the `?`; mostly empty. */
  readonly query: string;
}

/** Path for browser reports: CSP violations, network errors, crashes. */
const REPORTS_PATH = '/reports';

/** Paths of SDKs that have this host in their DSN. */
const API_PATH = /^\/api\/(?<project>\d{1,20})\/(?<endpoint>envelope|store)\/?$/;

const API_PATTERNS = ['/api/:project/envelope', '/api/:project/store'];

/** A DSN whose host ends with a slash makes the SDK post to `//api/…`. Relay folds slashes before it routes, too. */
const REPEATED_SLASHES = /\/{2,}/g;

/**
 * Finds the route of a URL. Each path works with and without a slash at its end, because a page that is being closed
 * would lose its report to a redirect (protocol H14):
 *
 * - `ERRATA_TUNNEL_PATH`;
 * - for each allowed DSN the path that `@sentry/browser` derives from it with `tunnel: true`;
 * - `/api/<project>/envelope/` and `/api/<project>/store/`;
 * - `/reports`.
 */
export class TunnelPaths {
  /** The paths in the form of a router. */
  readonly patterns: readonly string[];
  readonly #fixed: ReadonlyMap<string, Route>;

  constructor(tunnelPath: string, projects: readonly AllowedProject[]) {
    const envelopes: Route = { accepts: 'envelope', projectId: null, query: '' };
    const reports: Route = { accepts: 'reports', projectId: null, query: '' };
    const envelopePaths = [tunnelPath, ...projects.flatMap(hashPaths)];
    const routes: (readonly [string, Route])[] = [
      [REPORTS_PATH, reports],
      ...envelopePaths.map((path) => [path, envelopes] as const),
    ];
    this.patterns = [...new Set([...envelopePaths, ...API_PATTERNS, REPORTS_PATH])];
    this.#fixed = new Map(
      routes.flatMap(([path, route]) => [
        [path, route],
        [`${path}/`, route],
      ]),
    );
  }

  /** Returns the route of a request's URL, or undefined if the URL does not belong to the tunnel. */
  find(url: string): Route | undefined {
    const fixed = this.#fixed.get(url);
    if (fixed !== undefined) return fixed;
    const target = originForm(url);
    const queryAt = target.indexOf('?');
    const path = (queryAt < 0 ? target : target.slice(0, queryAt)).replace(REPEATED_SLASHES, '/');
    const query = queryAt < 0 ? '' : target.slice(queryAt + 1);
    const found = this.#fixed.get(path);
    if (found !== undefined) return { ...found, query };
    const { project, endpoint } = API_PATH.exec(path)?.groups ?? {};
    if (project === undefined) return undefined;
    return { accepts: endpoint === 'store' ? 'store' : 'envelope', projectId: project, query };
  }
}

/** The SDK hashes the DSN of its page: as in the settings, or the canonical text that Errata writes into its pages. */
function hashPaths({ dsn }: AllowedProject): readonly string[] {
  const canonical = parseDsn(canonicalDsn(dsn)) ?? dsn;
  return [...new Set([tunnelHashPath(dsn), tunnelHashPath(canonical)])];
}
