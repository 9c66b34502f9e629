/** Runs under `node --experimental-vm-modules`, as the backend does: one module system everywhere. */
export default {
  testEnvironment: 'jest-fixed-jsdom',
  // As in the backend: stops a hang, and decides nothing else.
  testTimeout: 120_000,
  roots: ['<rootDir>/src', '<rootDir>/vite'],
  testMatch: ['**/*.spec.{ts,tsx}'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  setupFilesAfterEnv: ['<rootDir>/jest/setup.js'],
  // In specs each class name is its own name; styles are tested in a browser.
  moduleNameMapper: { '\\.css$': '<rootDir>/jest/class-names.js' },
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
  coverageProvider: 'v8',
  collectCoverageFrom: [
    'src/**/*.{ts,tsx}',
    '!src/**/*.spec.{ts,tsx}',
    '!src/**/*.fixture.{ts,tsx}',
    '!src/**/*.suite.ts',
  ],
};
