import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/test.ts';
import { everywhere, loneFeedback } from './fixtures/console-data.ts';
import { digestsOf, send, signIn } from './fixtures/console-pages.ts';
import { isNoSession, QUICK_REFUSALS, untilDeadLetters } from './fixtures/dead-letters.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { FakeUpstream } from './fixtures/fake-upstream.ts';
import { HOSTILE_TEXTS } from './fixtures/hostile-texts.ts';

/** Collects violations of the content security policy in the page, Trusted Types included. */
const HEAR_VIOLATIONS = `
  globalThis.violations = [];
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    globalThis.violations.push([violatedDirective, blockedURI, sample].join(' ')));`;

/** Opens all parts of the page and returns what the texts did there, or null. */
function harmOf(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    const { violations, hostile } = globalThis as unknown as { violations: string[]; hostile?: boolean };
    const { scrollWidth, clientWidth } = document.documentElement;
    const isHarmed = violations.length > 0 || hostile !== undefined || scrollWidth > clientWidth;
    return isHarmed ? JSON.stringify({ violations, hostile, overflow: scrollWidth - clientWidth }) : null;
  });
}

const LISTS = [
  '/console',
  '/console/issues?status=all',
  '/console/issues?status=feedback',
  '/console/delivery',
  '/console/live',
  '/console/account',
];
/** Texts of one test: a few pages for each, so that no test comes near its time limit on a busy machine. */
const TEXTS_OF_TEST = 4;

test.describe('a hostile text in every field is shown as text at 320 and 1280 px: nothing runs, nothing breaks', () => {
  let upstream: FakeUpstream;
  let errata: ErrataProcess;
  let digests: readonly string[];

  test.beforeAll(async () => {
    upstream = new FakeUpstream();
    upstream.refuses = isNoSession;
    await upstream.up();
    const environment = { SENTRY_DSN: upstream.dsn, ...QUICK_REFUSALS };
    errata = await new ErrataProcess({ environment }).start();
    for (const [index, text] of HOSTILE_TEXTS.entries()) {
      await send(errata, everywhere(upstream.dsn, text, index));
      if (text.trim() !== '') await send(errata, loneFeedback(upstream.dsn, text));
    }
    await untilDeadLetters(errata, upstream);
    digests = await digestsOf(errata, HOSTILE_TEXTS.length);
  });

  test.afterAll(async () => {
    await errata.stop();
    await upstream.down();
  });

  async function harmsOn(page: Page, paths: readonly string[]): Promise<readonly string[]> {
    const harmed: string[] = [];
    await page.addInitScript(HEAR_VIOLATIONS);
    page.on('dialog', (dialog) => {
      harmed.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await signIn(page, errata.url);
    for (const path of paths) {
      // A page is the same document at every width: its script measures only which texts are folded, at the first one.
      await page.setViewportSize({ width: 320, height: 800 });
      await page.goto(errata.url + path);
      await expect(page.locator('main h1').first()).toBeVisible();
      await expect(page.locator('main').locator('[aria-busy="true"], output[aria-label]')).toHaveCount(0);
      for (const width of [320, 1_280]) {
        await page.setViewportSize({ width, height: 800 });
        const harm = await harmOf(page);
        if (harm !== null) harmed.push(`${path.slice(0, 80)} at ${width} px: ${harm}`);
      }
    }
    return harmed;
  }

  test('on the lists', async ({ page }) => {
    expect(await harmsOn(page, LISTS)).toEqual([]);
  });

  for (let from = 0; from < HOSTILE_TEXTS.length; from += TEXTS_OF_TEST) {
    test(`where it is found, and on its own page: texts from ${from}`, async ({ page }) => {
      const texts = HOSTILE_TEXTS.slice(from, from + TEXTS_OF_TEST);
      const found = texts.map((text) => `/console?q=${encodeURIComponent(text)}`);
      const answers = digests
        .slice(from, from + TEXTS_OF_TEST)
        .map((digest) => `/console/e/${encodeURIComponent(digest)}`);

      expect(await harmsOn(page, [...found, ...answers])).toEqual([]);
    });
  }
});
