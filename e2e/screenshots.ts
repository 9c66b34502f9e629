import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { seedConsole } from './fixtures/console-pages.ts';
import { bring, PAGE_STATES } from './fixtures/console-states.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { FakeUpstream } from './fixtures/fake-upstream.ts';
import { findChromium } from './fixtures/find-chromium.ts';
import { signedIn, SUPPORT_TOKEN } from './fixtures/sessions.ts';

/**
 * Writes pictures of every page in every state to docs/images/pages, from a real process with the data of `make
 * seed`.
 */

const DIRECTORY = join(import.meta.dirname, '..', 'docs', 'images', 'pages');
const QUALITY = 72;
const LOOKS = [
  { name: 'light', viewport: { width: 1_280, height: 860 }, colorScheme: 'light' },
  { name: 'dark', viewport: { width: 1_280, height: 860 }, colorScheme: 'dark' },
  { name: 'narrow', viewport: { width: 320, height: 720 }, colorScheme: 'light' },
] as const;

mkdirSync(DIRECTORY, { recursive: true });
const upstream = new FakeUpstream();
await upstream.up();
const errata = await new ErrataProcess({
  environment: { SENTRY_DSN: upstream.dsn, ERRATA_SUPPORT_TOKEN: SUPPORT_TOKEN },
}).start();
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: ['--no-sandbox', '--disable-gpu'],
});
const digest = await seedConsole(errata);
const sessions = await signedIn(errata.url);
for (const state of PAGE_STATES) {
  for (const { name, viewport, colorScheme } of LOOKS) {
    const context = await browser.newContext({
      viewport,
      colorScheme,
      reducedMotion: 'reduce',
      storageState: sessions[state.user ?? 'operator'],
    });
    const page = await bring(context, errata.url, state, digest);
    const path = join(DIRECTORY, `${state.name}-${name}.jpg`);
    await page.screenshot({ path, type: 'jpeg', quality: QUALITY, fullPage: state.name === 'answer' });
    // A poll of the page may be in flight.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  }
  process.stdout.write(`${state.name}\n`);
}
await browser.close();
await errata.stop();
await upstream.down();
