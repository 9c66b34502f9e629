import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { blockingScript } from './vite/blocking-script.ts';
import { CHUNKS } from './vite/chunks.ts';
import { debugIds } from './vite/debug-ids.ts';
import { devServer } from './vite/dev-server.ts';
import { staticFiles } from './vite/static-files.ts';
import { unusedRouter } from './vite/unused-router.ts';

export default defineConfig({
  plugins: [
    react(),
    devServer(`http://127.0.0.1:${process.env.PORT ?? '3000'}`),
    staticFiles(),
    blockingScript(),
    debugIds(),
    unusedRouter(),
    compression({
      include: /assets\/.*\.(js|css|svg)$/,
      algorithms: ['gzip', 'brotliCompress'],
      threshold: 0,
    }),
  ],
  // Removes the SDK's debug output and tracing.
  define: { __SENTRY_DEBUG__: false, __SENTRY_TRACING__: false },
  // Relative in scripts and styles, so that they work below any base path; the server puts it into index.html.
  experimental: {
    renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  build: {
    // Below the console's path, so that a proxy or another client needs no second path for them.
    assetsDir: 'console/assets',
    target: 'es2023',
    sourcemap: 'hidden',
    // The polyfill is script text; browsers that support light-dark() support modulepreload too.
    modulePreload: { polyfill: false },
    // The policy forbids data: URLs.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { output: { sourcemapDebugIds: true, codeSplitting: { groups: CHUNKS } } },
  },
});
