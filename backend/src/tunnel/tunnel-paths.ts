import { canonicalDsn, parseDsn, tunnelHashPath } from '../envelope/dsn.ts';
import { originForm } from '../net/request-target.ts';
import type { AllowedProject } from './allow-list.ts';

/**
 * The body that a path accepts: an envelope, a single event (the format before envelopes), browser reports, or what a person
 * wrote about an event, by an API or in a dialog whose script the path serves.
 */
type BodyKind = 'envelope' | 'store' | 'reports' | 'feedback' | 'dialog';

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

/** Path of the dialog of `showReportDialog`, which the SDKs derive from the host of their DSN. */
const DIALOG_PATH = '/api/embed/error-page';

/** Paths of SDKs that have this host in their DSN. */
const API_PATH = /^\/api\/(?<project>\d{1,20})\/(?<endpoint>envelope|store|user-feedback)\/?$/;
/** Sentry's path of the user-feedback API. Its DSN names the project; these names are of Sentry's own data. */
const NAMED_API_PATH = /^\/api\/0\/projects\/[\w.-]{1,100}\/[\w.-]{1,100}\/user-feedback\/?$/;

const API_PATTERNS = [
  '/api/:project/envelope',
  '/api/:project/store',
  '/api/:project/user-feedback',
  '/api/0/projects/:organization/:project/user-feedback',
];
const KINDS: Readonly<Record<string, BodyKind>> = { store: 'store', 'user-feedback': 'feedback' };

/** A DSN whose host ends with a slash makes the SDK post to `//api/…`. Relay folds slashes before it routes, too. */
const REPEATED_SLASHES = /\/{2,}/g;

/**
 * Finds the route of a URL. Each path works with and without a slash at its end, because a page that is being closed
 * would lose its report to a redirect (protocol H14):
 *
 * - `ERRATA_TUNNEL_PATH`;
 * - for each allowed DSN the path that `@sentry/browser` derives from it with `tunnel: true`;
 * - `/api/<project>/envelope/` and `/api/<project>/store/`;
 * - `/api/<project>/user-feedback/`, `/api/0/projects/<organization>/<project>/user-feedback/` and `/api/embed/error-page/`;
 * - `/reports`.
 */
export class TunnelPaths {
  /** The paths in the form of a router. */
  readonly patterns: readonly string[];
  readonly #fixed: ReadonlyMap<string, Route>;

  constructor(tunnelPath: string, projects: readonly AllowedProject[]) {
    const envelopes: Route = { accepts: 'envelope', projectId: null, query: '' };
    const reports: Route = { accepts: 'reports', projectId: null, query: '' };
    const dialog: Route = { accepts: 'dialog', projectId: null, query: '' };
    const envelopePaths = [tunnelPath, ...projects.flatMap(hashPaths)];
    const routes: (readonly [string, Route])[] = [
      [REPORTS_PATH, reports],
      [DIALOG_PATH, dialog],
      ...envelopePaths.map((path) => [path, envelopes] as const),
    ];
    this.patterns = [...new Set([...envelopePaths, ...API_PATTERNS, DIALOG_PATH, REPORTS_PATH])];
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
    if (NAMED_API_PATH.test(path)) return { accepts: 'feedback', projectId: null, query };
    const { project, endpoint = '' } = API_PATH.exec(path)?.groups ?? {};
    if (project === undefined) return undefined;
    return { accepts: KINDS[endpoint] ?? 'envelope', projectId: project, query };
  }
}

/** The SDK hashes the DSN of its page: as in the settings, or the canonical text that Errata writes into its pages. */
function hashPaths({ dsn }: AllowedProject): readonly string[] {
  const canonical = parseDsn(canonicalDsn(dsn)) ?? dsn;
  return [...new Set([tunnelHashPath(dsn), tunnelHashPath(canonical)])];
}
