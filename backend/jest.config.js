/** Runs under `node --experimental-vm-modules`: NestJS 12 is ESM only. */
export default {
  testEnvironment: 'node',
  // Stops a hang, and decides nothing else: on a busy machine a test takes many times as long as on an idle one.
  testTimeout: 120_000,
  roots: ['<rootDir>/src'],
  testMatch: ['**/*.spec.ts'],
  // By name and not in a setup file: to load fast-check takes 100 ms, and six of seven specs do without it.
  moduleNameMapper: { '^fast-check$': `${import.meta.dirname}/jest/fast-check.js` },
  // No `<rootDir>`: the tools use this configuration, too.
  globalSetup: `${import.meta.dirname}/jest/global-setup.mjs`,
  globalTeardown: `${import.meta.dirname}/jest/global-teardown.mjs`,
  testSequencer: `${import.meta.dirname}/jest/sequencer.js`,
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2024',
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts', '!src/**/*.spec.ts', '!src/**/*.fixture.ts', '!src/**/*.suite.ts'],
};
