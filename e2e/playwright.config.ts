import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { findChromium } from './fixtures/find-chromium.ts';

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: 'test-results',
  // Tests of one file run one after another on one worker; a file starts its own processes on free ports.
  workers: Math.max(2, availableParallelism()),
  // A test that fails now and then is a defect. Tests of a build set one retry (fixtures/make-target.ts).
  retries: 0,
  // One forgotten `only` would leave out all other tests, and the run would be green.
  forbidOnly: true,
  // A test waits for what happens, and never for how long it takes: both limits only stop a hang.
  timeout: 120_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: findChromium(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
});
