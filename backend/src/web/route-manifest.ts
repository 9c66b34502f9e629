import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientRoute, RouteManifest } from '../contract/routes.ts';

/** A route's page is index.html; `noindex` says whether crawlers may keep it, `link` what goes along with it. */
export interface MatchedRoute {
  readonly noindex: boolean;
  /** Value of the `Link` header, empty for none. */
  readonly link: string;
}

/** Which of a client's routes are served. */
interface RouteChoice {
  readonly demo: boolean;
  /** By the pattern of its path. */
  readonly isItsPage: (path: string) => boolean;
}

/**
 * The client's own route table, as its build wrote it: these paths are the client's pages, every other path is a
 * real 404. A client without a manifest (somebody else's build) has the one page `/`.
 */
export class Routes {
  readonly #routes: readonly (MatchedRoute & { readonly pattern: RegExp })[];

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

  match(path: string): MatchedRoute | undefined {
    return this.#routes.find(({ pattern }) => pattern.test(path));
  }
}

function readManifest(clientDir: string): RouteManifest {
  try {
    return JSON.parse(readFileSync(join(clientDir, 'routes.json'), 'utf8')) as RouteManifest;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { routes: [{ path: '/' }] };
    throw new Error(`routes.json of the client in ${clientDir} cannot be read`, { cause: error });
  }
}

/** As a bundler's own elements ask for these files, or the browser would load them twice. */
function linkOf(file: string): string {
  return `<${encodeURI(file)}>; ${file.endsWith('.css') ? 'rel=preload; as=style; crossorigin' : 'rel=modulepreload'}`;
}

/** `:name` stands for one segment; a trailing slash is the same page. */
function patternOf(path: string): RegExp {
  const segments = path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) =>
      segment.startsWith(':') ? '[^/]+' : segment.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    );
  return new RegExp(`^/${segments.join('/')}${segments.length > 0 ? '/?' : ''}$`);
}
