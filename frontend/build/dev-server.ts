import { SETTINGS_PLACEHOLDER, type BrowserSettings } from '@errata/backend/contract/browser-settings.ts';
import type { ClientRoute } from '@errata/backend/contract/routes.ts';
import type { Plugin } from 'vite';
import type * as RoutesModule from '../src/app/routes.tsx';

/** What Vite itself answers: its own modules and the sources. */
const VITE_PATH = /^\/(?:@|src\/|build\/|node_modules\/|index\.html|favicon\.ico|\.\.\/)/;

/** Shown until the server is up; reports go nowhere then. */
const WITHOUT_SERVER: BrowserSettings = {
  dsn: '',
  tunnel: '/tunnel',
  release: 'dev',
  environment: 'development',
  demo: true,
};

function escaped(json: string): string {
  return json.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** The server fills its own index.html; its words are taken over as they stand. */
async function settingsOf(backend: string): Promise<string> {
  try {
    const page = await (await fetch(backend)).text();
    const content = /<meta name="errata" content="([^"]*)"/.exec(page)?.[1];
    if (content !== undefined) return content;
  } catch {
    // Not up yet.
  }
  return escaped(JSON.stringify(WITHOUT_SERVER));
}

function isPage(routes: readonly ClientRoute[], path: string): boolean {
  return routes.some((route) => new URLPattern({ pathname: route.path }).test({ pathname: path }));
}

/**
 * The client from its sources, everything else from the server: also the error pages, the 404 of a missing page and
 * the settings, so that a page in development ends as it does in production.
 */
export function devServer(backend: string): Plugin {
  let routes: readonly ClientRoute[] = [];
  return {
    name: 'errata:dev-server',
    apply: 'serve',
    config: () => ({
      server: {
        proxy: {
          '^/': {
            target: backend,
            bypass: ({ url = '/' }) => {
              const path = url.replace(/[?#].*$/, '');
              return VITE_PATH.test(path) || isPage(routes, path) ? url : undefined;
            },
          },
        },
      },
    }),
    configureServer(server) {
      const readRoutes = async () => {
        // An edge: the module is loaded by name, its type is its source's.
        const module = (await server.ssrLoadModule('/src/app/routes.tsx')) as typeof RoutesModule;
        routes = module.routes;
      };
      // Not before: Vite sets its style sheets up at its own start.
      server.httpServer?.once('listening', () => void readRoutes());
    },
    transformIndexHtml: async (html) => html.replace(SETTINGS_PLACEHOLDER, await settingsOf(backend)),
  };
}
