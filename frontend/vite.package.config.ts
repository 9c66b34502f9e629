import { defineConfig } from 'vite';

/** Builds the package for React applications of others: its own code with the shared contract, and no dependency in it. */
export default defineConfig({
  publicDir: false,
  build: {
    target: 'es2022',
    minify: false,
    lib: { entry: 'src/react-package.tsx', formats: ['es'], fileName: 'index' },
    rolldownOptions: {
      // First in the file: a server component of React may import the package.
      output: { banner: "'use client';" },
      external: [/^react($|\/)/, /^react-dom($|\/)/, /^@sentry\//],
    },
    reportCompressedSize: false,
  },
});
