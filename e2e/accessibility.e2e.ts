import { AxeBuilder } from '@axe-core/playwright';
import { expect } from '@playwright/test';
import { test } from './fixtures/test.ts';
import { seedConsole } from './fixtures/console-pages.ts';
import { bring, PAGE_STATES, type Sessions, signedIn, SUPPORT_TOKEN } from './fixtures/console-states.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { FakeUpstream } from './fixtures/fake-upstream.ts';

/** Checks every page in every state against the rules of WCAG 2.2 AA that a program can check. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const LOOKS = [
  { width: 1_280, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
] as const;

test.describe('no page has an accessibility error', () => {
  let errata: ErrataProcess;
  let upstream: FakeUpstream;
  let digest = '';
  let sessions: Sessions;

  test.beforeAll(async ({ browser }) => {
    upstream = new FakeUpstream();
    upstream.status = 413;
    await upstream.up();
    errata = await new ErrataProcess({
      environment: { SENTRY_DSN: upstream.dsn, ERRATA_SUPPORT_TOKEN: SUPPORT_TOKEN },
    }).start();
    digest = await seedConsole(errata);
    sessions = await signedIn(browser, errata.url);
  });

  test.afterAll(async () => {
    await errata.stop();
    await upstream.down();
  });

  for (const state of PAGE_STATES) {
    for (const { width, colorScheme } of LOOKS) {
      test(`${state.name}, ${width} px, ${colorScheme}`, async ({ browser }) => {
        const context = await browser.newContext({
          viewport: { width, height: 800 },
          colorScheme,
          storageState: sessions[state.user ?? 'operator'],
        });
        const page = await bring(context, errata.url, state, digest);

        const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );

        expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
        expect(overflow).toBe(0);
        // A poll of the page may be in flight.
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await context.close();
      });
    }
  }
});
