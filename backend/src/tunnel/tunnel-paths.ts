import { canonicalDsn, parseDsn, tunnelHashPath } from '../envelope/dsn.ts';
import type { AllowedProject } from './allow-list.ts';

/** What a path takes: an envelope, a bare event as SDKs sent it before envelopes, or a browser's reports. */
type BodyKind = 'envelope' | 'store' | 'reports';

/** One path of the tunnel, and what its URL says of the sender. */
export interface Route {
  readonly takes: BodyKind;
  /** Project of `/api/<project>/…`; null where the path names none. */
  readonly projectId: string | null;
  /** What stands behind the `?`; empty for most. */
  readonly query: string;
}

/** Where browsers send reports of their own: CSP violations, network errors, crashes. */
const REPORTS_PATH = '/reports';

/** Where SDKs post that have this host in their DSN. */
const API_PATH = /^\/api\/(?<project>\d{1,20})\/(?<endpoint>envelope|store)\/?$/;

/**
 * Every path the tunnel answers on, each with and without a slash at its end, as a redirect would cost a page that
 * is being closed its report (protocol H14):
 *
 * - `ERRATA_TUNNEL_PATH`;
 * - for each allowed DSN the path that `@sentry/browser` makes of it with `tunnel: true`;
 * - `/api/<project>/envelope/` and `/api/<project>/store/`;
 * - `/reports`.
 */
export class TunnelPaths {
  readonly #fixed: ReadonlyMap<string, Route>;

  constructor(tunnelPath: string, projects: readonly AllowedProject[]) {
    const envelopes: Route = { takes: 'envelope', projectId: null, query: '' };
    const reports: Route = { takes: 'reports', projectId: null, query: '' };
    this.#fixed = new Map(
      [
        ...[REPORTS_PATH].map((path) => [path, reports] as const),
        ...[tunnelPath, ...projects.flatMap(hashPaths)].map((path) => [path, envelopes] as const),
      ].flatMap(([path, route]) => [
        [path, route],
        [`${path}/`, route],
      ]),
    );
  }

  /** The route of a request's URL, undefined where it is none of the tunnel's. */
  find(url: string): Route | undefined {
    const fixed = this.#fixed.get(url);
    if (fixed !== undefined) return fixed;
    const queryAt = url.indexOf('?');
    const path = queryAt < 0 ? url : url.slice(0, queryAt);
    const query = queryAt < 0 ? '' : url.slice(queryAt + 1);
    const found = this.#fixed.get(path);
    if (found !== undefined) return { ...found, query };
    const { project, endpoint } = API_PATH.exec(path)?.groups ?? {};
    if (project === undefined) return undefined;
    return { takes: endpoint === 'store' ? 'store' : 'envelope', projectId: project, query };
  }
}

/** The SDK hashes the DSN as its page has it: as it is set, or in the spelling Errata gives to its own pages. */
function hashPaths({ dsn }: AllowedProject): readonly string[] {
  const canonical = parseDsn(canonicalDsn(dsn)) ?? dsn;
  return [...new Set([tunnelHashPath(dsn), tunnelHashPath(canonical)])];
}
