import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientRoute, RouteManifest } from '../contract/routes.ts';
import { decodeSegments } from './url-path.ts';

/** A route of the client. Its page is always index.html. */
export interface MatchedRoute {
  /** Whether crawlers must not index the page. */
  readonly noindex: boolean;
  /** Value of the `Link` header, which preloads the files of the page; empty for none. */
  readonly link: string;
}

/** Stands for a `:name` segment. */
const ANY_SEGMENT = Symbol('any segment');
type Pattern = readonly (string | typeof ANY_SEGMENT)[];

/** Selects the routes that are served. */
interface RouteChoice {
  readonly demo: boolean;
  /** Whether this client serves the page with that path pattern. */
  readonly isItsPage: (path: string) => boolean;
}

/**
 * The client's own route table, as its build wrote it: these paths are the client's pages, every other path is a
 * real 404. A client without a manifest (another team's build) has the one page `/`.
 */
export class Routes {
  readonly #routes: readonly (MatchedRoute & { readonly pattern: Pattern })[];

  constructor(routes: readonly ClientRoute[], { demo, isItsPage }: RouteChoice) {
    this.#routes = routes
      .filter((route) => (demo || route.demo !== true) && isItsPage(route.path))
      .map(({ path, noindex, preload = [] }) => ({
        pattern: patternOf(path),
        noindex: noindex === true,
        link: preload.map(linkOf).join(', '),
      }));
  }

  static read(clientDir: string, choice: RouteChoice): Routes {
    return new Routes(readManifest(clientDir).routes, choice);
  }

  /** @param segments of the path, decoded: browsers encode letters and blanks in different ways. */
  match(segments: readonly string[]): MatchedRoute | undefined {
    const wanted = segments.at(-1) === '' ? segments.slice(0, -1) : segments;
    return this.#routes.find(
      ({ pattern }) =>
        pattern.length === wanted.length &&
        pattern.every((part, index) =>
          part === ANY_SEGMENT ? wanted[index] !== '' : part === wanted[index],
        ),
    );
  }
}

/**
 * Checks that a folder holds a built client.
 *
 * @throws Error that names the file, when index.html is missing or routes.json is no list of routes.
 */
export function checkClient(clientDir: string): void {
  const index = join(clientDir, 'index.html');
  if (!existsSync(index)) throw new Error(`${index} does not exist`);
  readManifest(clientDir);
}

function readManifest(clientDir: string): RouteManifest {
  const path = join(clientDir, 'routes.json');
  if (!existsSync(path)) return { routes: [{ path: '/' }] };
  try {
    const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (isManifest(manifest)) return manifest;
  } catch (cause) {
    throw new Error(`${path} is not valid JSON`, { cause });
  }
  throw new Error(`${path} has no list of routes, each with a path`);
}

function isManifest(value: unknown): value is RouteManifest {
  if (typeof value !== 'object' || value === null || !('routes' in value)) return false;
  return Array.isArray(value.routes) && value.routes.every(isRoute);
}

function isRoute(value: unknown): value is ClientRoute {
  return typeof value === 'object' && value !== null && 'path' in value && typeof value.path === 'string';
}

/** Writes one preload with the same mode as the bundler's own elements: a different mode loads the file twice. */
function linkOf(file: string): string {
  return `<${encodeURI(file)}>; ${file.endsWith('.css') ? 'rel=preload; as=style; crossorigin' : 'rel=modulepreload'}`;
}

/** Splits a path into its segments. The manifest may have them encoded or not; a malformed encoding is plain text. */
function patternOf(path: string): Pattern {
  const segments = path.split('/').filter((segment) => segment !== '');
  const decoded = decodeSegments(`/${segments.join('/')}`) ?? segments;
  return segments.map((segment, index) =>
    segment.startsWith(':') ? ANY_SEGMENT : (decoded[index] ?? segment),
  );
}
