import { fileURLToPath } from 'node:url';
import type { RouteManifest } from '@errata/backend/contract/routes.ts';
import { createServer, type Plugin } from 'vite';
import { pageSizes } from './page-budget.ts';
import { pageFiles } from './page-files.ts';
import type * as RenderModule from './render-static-files.tsx';

const FRONTEND = fileURLToPath(new URL('..', import.meta.url));

/** Runs the renderer in this process, compiled as the client is, without listening on a port. */
async function render(): Promise<RenderModule.StaticFiles> {
  const server = await createServer({
    root: FRONTEND,
    configFile: false,
    appType: 'custom',
    logLevel: 'warn',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    // Edge: the module is loaded by name; its type is that of its source.
    const { renderStaticFiles } = (await server.ssrLoadModule(
      '/vite/render-static-files.tsx',
    )) as typeof RenderModule;
    return renderStaticFiles();
  } finally {
    await server.close();
  }
}

/** Writes 404.html, error.html and routes.json for the server, prints the size of each page, and refuses one with too much script. */
export function staticFiles(): Plugin {
  let manifest: RouteManifest = { routes: [] };
  return {
    name: 'errata:static-files',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const { errorHtml, notFoundHtml, routes } = await render();
      manifest = {
        routes: routes.map((route) => {
          const preload = pageFiles(bundle, route.path);
          return preload.length === 0 ? route : { ...route, preload };
        }),
      };
      const files = {
        'error.html': errorHtml,
        '404.html': notFoundHtml,
        'routes.json': `${JSON.stringify(manifest, null, 2)}\n`,
      };
      for (const [fileName, source] of Object.entries(files))
        this.emitFile({ type: 'asset', fileName, source });
    },
    writeBundle(_options, bundle) {
      const { lines, tooLarge } = pageSizes(bundle, manifest);
      process.stdout.write(`${lines.join('\n')}\n`);
      if (tooLarge.length > 0) this.error(tooLarge.join('\n'));
    },
  };
}
