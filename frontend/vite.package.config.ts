import { defineConfig } from 'vite';

/** Builds the package for React applications of others: its own code with the shared contract, and no dependency in it. */
export default defineConfig({
  publicDir: false,
  build: {
    target: 'es2022',
    minify: false,
    lib: { entry: 'src/react-package.tsx', formats: ['es'], fileName: 'index' },
    rolldownOptions: { external: [/^react($|\/)/, /^react-dom($|\/)/, /^@sentry\//] },
    reportCompressedSize: false,
  },
});
