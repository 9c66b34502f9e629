import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axeCore from 'axe-core';
import { expect, type Page } from '@playwright/test';
import { test as base } from './fixtures/test.ts';
import { seedConsole } from './fixtures/console-pages.ts';
import { animationsEnded, bring, PAGE_STATES } from './fixtures/console-states.ts';
import { isNoSession, QUICK_REFUSALS, untilDeadLetters } from './fixtures/dead-letters.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { FakeUpstream } from './fixtures/fake-upstream.ts';
import { type Sessions, signedIn, SUPPORT_TOKEN } from './fixtures/sessions.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Checks every page in every state against the rules of WCAG 2.2 AA that a program can check. */
const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/**
 * Rules whose verdict depends on sizes or colours. The narrow dark look renders the same elements as the wide light one, so
 * the others would say nothing new; where it renders others, all rules apply.
 */
const LAYOUT_RULES = ['target-size', 'scrollable-region-focusable', 'color-contrast', 'link-in-text-block'];

/** Helpful error pages have all parts of the plain ones. */
const HELPFUL = { ERRATA_ERROR_PAGE: 'helpful', ERRATA_SUPPORT_URL: 'https://help.example/?code={digest}' };
const SETTINGS = { ERRATA_SUPPORT_TOKEN: SUPPORT_TOKEN, ...HELPFUL, ...QUICK_REFUSALS };

/** Errata with the data of `make seed`. */
interface SeededConsole {
  readonly url: string;
  /** Digest of an issue with many events. */
  readonly digest: string;
  readonly sessions: Sessions;
}

const test = base.extend<object, { seeded: SeededConsole }>({
  seeded: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern to find the dependencies
    async ({}, use) => {
      const upstream = new FakeUpstream();
      upstream.refuses = isNoSession;
      await upstream.up();
      const errata = await new ErrataProcess({
        environment: { ...SETTINGS, SENTRY_DSN: upstream.dsn },
      }).start();
      const digest = await seedConsole(errata);
      await untilDeadLetters(errata, upstream);
      await use({ url: errata.url, digest, sessions: await signedIn(errata.url) });
      await errata.stop();
      await upstream.down();
    },
    { scope: 'worker' },
  ],
});

/** Returns the violations of these rules, each with the first element. */
function violationsOf(page: Page, runOnly: axeCore.RunOptions['runOnly']): Promise<readonly string[]> {
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: typeof axeCore };
    const { violations } = await axe.run({ runOnly: only, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  }, runOnly);
}

/** Returns for each element whether it is rendered. */
function renderedIn(page: Page): Promise<string> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll('body *'), (element) => Number(element.checkVisibility())).join(''),
  );
}

for (const state of PAGE_STATES) {
  test(`no accessibility error: ${state.name}, at 1280 px in light and at 320 px in dark colours`, async ({
    browser,
    seeded: { url, digest, sessions },
  }) => {
    const context = await browser.newContext({
      viewport: { width: 1_280, height: 800 },
      colorScheme: 'light',
      storageState: sessions[state.user ?? 'operator'],
    });
    const page = await bring(context, url, state, digest);
    expect(page.frames()).toHaveLength(1);
    await page.evaluate(AXE);
    const wide = await violationsOf(page, ALL_RULES);
    const rendered = await renderedIn(page);

    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 320, height: 800 });
    await animationsEnded(page);
    await expect(state.shows(page)).toBeVisible();
    const isOther = (await renderedIn(page)) !== rendered;
    const narrow = await violationsOf(page, isOther ? ALL_RULES : LAYOUT_RULES);
    // The line above a chart is no shorter than its words.
    const overflows = await page
      .locator(':root, figure p')
      .evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth).filter((px) => px > 0));

    expect({ wide, narrow, overflows }).toEqual({ wide: [], narrow: [], overflows: [] });
    // A poll of the page may be in flight.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });
}
