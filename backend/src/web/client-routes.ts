import type { ClientRoute } from '../contract/routes.ts';
import { isOpen, matchesPattern, parsePattern, type RoutePattern } from './route-pattern.ts';

/** A route of the client. Its page is always index.html. */
export interface MatchedRoute {
  /** Whether crawlers must not index the page. */
  readonly noindex: boolean;
  /** Value of the `Link` header, which preloads the files of the page; empty for none. */
  readonly link: string;
  /** Whether the path is one of many that a `:name` or a `*` matches: then the client alone knows whether it is a page. */
  readonly isGuess: boolean;
}

/** The client's routes: these paths are its pages beside its HTML files, every other path is a real 404. */
export class Routes {
  readonly #routes: readonly (MatchedRoute & { readonly pattern: RoutePattern })[];

  /** @param demo whether the demo's pages exist. */
  constructor(routes: readonly ClientRoute[], demo: boolean) {
    this.#routes = routes
      .filter((route) => demo || route.demo !== true)
      .map(({ path, noindex, preload = [] }) => {
        const pattern = parsePattern(path);
        const link = preload.map(linkOf).join(', ');
        return { pattern, noindex: noindex === true, link, isGuess: isOpen(pattern) };
      });
  }

  /** @param segments of the path, decoded: browsers encode letters and blanks in different ways. */
  match(segments: readonly string[]): MatchedRoute | undefined {
    const wanted = segments.at(-1) === '' ? segments.slice(0, -1) : segments;
    return this.#routes.find(({ pattern }) => matchesPattern(pattern, wanted));
  }
}

/** Writes one preload with the same mode as the bundler's own elements: a different mode loads the file twice. */
function linkOf(file: string): string {
  const path = encodeURI(file.startsWith('/') ? file : `/${file}`);
  return `<${path}>; ${file.endsWith('.css') ? 'rel=preload; as=style; crossorigin' : 'rel=modulepreload'}`;
}
