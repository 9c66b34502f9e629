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

interface Harm {
  readonly violations: readonly string[];
  readonly isExecuted: boolean;
  /** Width of the page beyond its window, px. */
  readonly overflow: number;
}

function harmOf(page: Page): Promise<Harm> {
  return page.evaluate(() => {
    const state = globalThis as unknown as { violations: string[]; hostile?: boolean };
    const { scrollWidth, clientWidth } = document.documentElement;
    return {
      violations: state.violations,
      isExecuted: state.hostile === true,
      overflow: scrollWidth - clientWidth,
    };
  });
}

test.describe.configure({ mode: 'parallel' });

for (const width of [1_280, 320])
  test(`a hostile text in every field is shown as text at ${width} px: nothing runs, nothing breaks`, async ({
    browser,
  }) => {
    const upstream = new FakeUpstream();
    upstream.refuses = isNoSession;
    await upstream.up();
    const environment = { SENTRY_DSN: upstream.dsn, ...QUICK_REFUSALS };
    const errata = await new ErrataProcess({ environment }).start();
    for (const [index, text] of HOSTILE_TEXTS.entries()) {
      await send(errata, everywhere(upstream.dsn, text, index));
      if (text.trim() !== '') await send(errata, loneFeedback(upstream.dsn, text));
    }
    await untilDeadLetters(errata, upstream);
    const digests = await digestsOf(errata, HOSTILE_TEXTS.length);
    const paths = [
      '/console',
      '/console/issues?status=all',
      '/console/issues?status=feedback',
      '/console/delivery',
      '/console/live',
      '/console/account',
      ...HOSTILE_TEXTS.map((text) => `/console?q=${encodeURIComponent(text)}`),
      ...digests.map((digest) => `/console/e/${encodeURIComponent(digest)}`),
    ];

    const harmed: string[] = [];
    const context = await browser.newContext({ viewport: { width, height: 800 } });
    await context.addInitScript(HEAR_VIOLATIONS);
    const page = await context.newPage();
    page.on('dialog', (dialog) => {
      harmed.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await signIn(page, errata.url);
    for (const path of paths) {
      await page.goto(errata.url + path);
      await expect(page.locator('main h1').first()).toBeVisible();
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      const { violations, isExecuted, overflow } = await harmOf(page);
      if (violations.length > 0 || isExecuted || overflow > 0)
        harmed.push(`${path.slice(0, 80)}: ${JSON.stringify({ violations, isExecuted, overflow })}`);
    }
    await context.close();

    expect(harmed).toEqual([]);
    await errata.stop();
    await upstream.down();
  });
