import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { blockingScript } from './build/blocking-script.ts';
import { debugIds } from './build/debug-ids.ts';
import { devServer } from './build/dev-server.ts';
import { staticFiles } from './build/static-files.ts';
import packageJson from './package.json' with { type: 'json' };

/** What the browser reports and version.json says. */
const release = process.env.SENTRY_RELEASE ?? packageJson.version;

/**
 * What every page needs, what every page of the console needs, one file for each of its pages, and the SDK. Left alone
 * the bundler makes dozens of a few hundred bytes, each a request of its own.
 */
const CHUNKS = [
  { name: 'index', tags: ['$initial' as const], priority: 3 },
  { name: 'console', test: /[\\/]src[\\/](?:console|api|ui)[\\/]/, minShareCount: 2, priority: 2 },
];

export default defineConfig({
  plugins: [
    react(),
    devServer(`http://127.0.0.1:${process.env.PORT ?? '3000'}`),
    staticFiles(release),
    blockingScript(),
    debugIds(),
    compression({
      include: /assets\/.*\.(js|css|svg)$/,
      algorithms: ['gzip', 'brotliCompress'],
      threshold: 0,
    }),
  ],
  // The SDK's own switches: leaves its debug output and tracing out.
  define: { __SENTRY_DEBUG__: false, __SENTRY_TRACING__: false },
  build: {
    target: 'es2023',
    sourcemap: 'hidden',
    // The polyfill writes script text; browsers that know light-dark() know modulepreload too.
    modulePreload: { polyfill: false },
    // The policy allows no data: URLs.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { output: { sourcemapDebugIds: true, codeSplitting: { groups: CHUNKS } } },
  },
});
