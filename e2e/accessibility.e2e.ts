import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { test as base } from './fixtures/test.ts';
import { seedConsole } from './fixtures/console-pages.ts';
import { animationsEnded, bring, PAGE_STATES } from './fixtures/console-states.ts';
import { isNoSession, QUICK_REFUSALS, untilDeadLetters } from './fixtures/dead-letters.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { FakeUpstream } from './fixtures/fake-upstream.ts';
import { type Sessions, signedIn, SUPPORT_TOKEN } from './fixtures/sessions.ts';

/** Checks every page in every state against the rules of WCAG 2.2 AA that a program can check. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Widths and colours differ by CSS alone, so the open page is brought from one look to the next. */
const LOOKS = [
  { width: 1_280, colorScheme: 'light' },
  { width: 320, colorScheme: 'dark' },
] as const;

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
        environment: { SENTRY_DSN: upstream.dsn, ERRATA_SUPPORT_TOKEN: SUPPORT_TOKEN, ...QUICK_REFUSALS },
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

// Every worker takes the next state; each has a process of its own.
test.describe.configure({ mode: 'parallel' });

interface Faults {
  readonly violations: readonly string[];
  /** Width of the page beyond its window, px. */
  readonly overflow: number;
}

async function faultsOf(page: Page): Promise<Faults> {
  // The legacy mode does not reach into frames of other origins. The default one does, and for that moves the whole
  // result to a second page, which takes three times as long.
  expect(page.frames()).toHaveLength(1);
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .withTags(RULES)
    .analyze();
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return { violations: violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`), overflow };
}

for (const state of PAGE_STATES) {
  test(`no accessibility error: ${state.name}, at 1280 px in light and at 320 px in dark colours`, async ({
    browser,
    seeded: { url, digest, sessions },
  }) => {
    const context = await browser.newContext({
      viewport: { width: LOOKS[0].width, height: 800 },
      colorScheme: LOOKS[0].colorScheme,
      storageState: sessions[state.user ?? 'operator'],
    });
    const page = await bring(context, url, state, digest);

    const found: Record<string, Faults> = {};
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await animationsEnded(page);
      await expect(state.shows(page)).toBeVisible();
      found[`${width} ${colorScheme}`] = await faultsOf(page);
    }

    const none: Faults = { violations: [], overflow: 0 };
    expect(found).toEqual({ '1280 light': none, '320 dark': none });
    // A poll of the page may be in flight.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });
}
