/** Runs under `node --experimental-vm-modules`, as the backend does: one module system everywhere. */
const shared = {
  roots: ['<rootDir>/src', '<rootDir>/vite'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: {
    // In specs each class name is its own name; styles are tested in a browser.
    '\\.css(\\?inline)?$': '<rootDir>/jest/class-names.js',
    '^jest-axe$': '<rootDir>/jest/axe.js',
  },
  transform: {
    '\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
          target: 'es2024',
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};

export default {
  // As in the backend: stops a hang, and decides nothing else.
  testTimeout: 120_000,
  projects: [
    {
      ...shared,
      testMatch: ['**/*.spec.tsx'],
      testEnvironment: 'jest-fixed-jsdom',
      setupFilesAfterEnv: ['<rootDir>/jest/setup.js'],
    },
    // A document and the library to test components take 0.5 s of processor for each file. A spec that needs a document
    // alone says so in its first line: `@jest-environment jest-fixed-jsdom`.
    { ...shared, testMatch: ['**/*.spec.ts'], testEnvironment: 'node' },
  ],
  coverageProvider: 'v8',
  collectCoverageFrom: [
    'src/**/*.{ts,tsx}',
    '!src/**/*.spec.{ts,tsx}',
    '!src/**/*.fixture.{ts,tsx}',
    '!src/**/*.suite.ts',
  ],
};
