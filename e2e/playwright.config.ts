import { execFileSync } from 'node:child_process';
import { defineConfig } from '@playwright/test';

/** The Chromium that is here: the one CHROMIUM names, or the first installed one. */
function findChromium(): string {
  if (process.env['CHROMIUM'] !== undefined) return process.env['CHROMIUM'];
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  return execFileSync('sh', ['-c', names.map((name) => `command -v ${name}`).join(' || ')], {
    encoding: 'utf8',
  }).trim();
}

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: 'test-results',
  // Two cores: a second worker would only make the first one slower, and kills and outages need quiet.
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
