import { defineConfig } from '@playwright/test';
import { findChromium } from './fixtures/find-chromium.ts';

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: 'test-results',
  // One worker: on two cores a second one slows the first down, and tests of kills and outages measure times.
  workers: 1,
  retries: 0,
  timeout: 20_000,
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
