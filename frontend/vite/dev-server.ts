import { SETTINGS_PLACEHOLDER, type BrowserSettings } from '@errata/backend/contract/browser-settings.ts';
import type { ClientRoute } from '@errata/backend/contract/routes.ts';
import type { Plugin } from 'vite';
import type * as RoutesModule from '../src/app/routes.tsx';

/** Paths that Vite answers: its own modules and the sources. */
const VITE_PATH = /^\/(?:@|src\/|build\/|node_modules\/|index\.html|favicon\.ico|\.\.\/)/;

/** Settings used until the server is up; no reports are sent then. */
const WITHOUT_SERVER: BrowserSettings = {
  dsn: '',
  basePath: '',
  tunnel: '/tunnel',
  release: 'dev',
  environment: 'development',
  demo: true,
};

function escaped(json: string): string {
  return json.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** Returns the settings from the index.html that the server fills, unchanged. */
async function settingsOf(backend: string): Promise<string> {
  try {
    const page = await (await fetch(backend)).text();
    const content = /<meta name="errata" content="([^"]*)"/.exec(page)?.[1];
    if (content !== undefined) return content;
  } catch {
    // The server is not up yet.
  }
  return escaped(JSON.stringify(WITHOUT_SERVER));
}

function isPage(routes: readonly ClientRoute[], path: string): boolean {
  return routes.some((route) => new URLPattern({ pathname: route.path }).test({ pathname: path }));
}

/**
 * Serves the client from its sources and proxies everything else to the server, including error pages, the 404 and the
 * settings, so a page in development fails as it does in production.
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
        // Edge: the module is loaded by name; its type is that of its source.
        const module = (await server.ssrLoadModule('/src/app/routes.tsx')) as typeof RoutesModule;
        routes = module.routes;
      };
      // Only after `listening`: Vite sets up its style sheets during its own start.
      server.httpServer?.once('listening', () => void readRoutes());
    },
    transformIndexHtml: async (html) => html.replace(SETTINGS_PLACEHOLDER, await settingsOf(backend)),
  };
}
