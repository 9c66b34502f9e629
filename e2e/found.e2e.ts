import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/test.ts';
import { ErrataProcess, TOKEN } from './fixtures/errata-process.ts';

/**
 * The main task of support: paste the text that a user sent, and see the cause. By keyboard alone, from the sign-in to
 * the answer.
 */

const REFERENCE = /Reference: ([0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4})/;

interface FailureCase {
  readonly name: string;
  /** Fails in the user's page. @returns the text that the user sends to support. */
  readonly happen: (page: Page, url: string) => Promise<string>;
  readonly title: string;
  /** Texts of the cause that the answer must show. */
  readonly cause: readonly string[];
}

const FAILURES: readonly FailureCase[] = [
  {
    name: 'a server error',
    happen: async (page, url) => {
      await page.goto(`${url}/demo/server-error?id=4711`);
      return page.innerText('body');
    },
    title: 'CheckoutError',
    cause: ['demo.controller', 'could not be charged', 'card declined'],
  },
  {
    name: 'a browser error',
    happen: async (page, url) => {
      const printed: string[] = [];
      page.on('console', (message) => printed.push(message.text()));
      const sent = page.waitForResponse((response) => response.url().endsWith('/tunnel'));
      await page.goto(`${url}/demo/client-error`);
      await expect(page.getByRole('alert')).toBeVisible();
      await sent;
      return `${await page.innerText('body')}\n${printed.find((line) => REFERENCE.test(line)) ?? ''}`;
    },
    title: 'TypeError',
    cause: ['app/demo-pages.tsx', 'BrokenPage', 'cart.items.length'],
  },
  {
    name: 'a failure in browser and server',
    happen: async (page, url) => {
      const sent = page.waitForResponse((response) => response.url().endsWith('/tunnel'));
      await page.goto(`${url}/demo/failed-request`);
      await expect(page.getByRole('alert')).toBeVisible();
      await sent;
      return `Hello, I was paying and then this:\n${await page.innerText('body')}\nCan you help? – Ann`;
    },
    title: 'CheckoutError',
    // One timeline with the server's error and the browser's.
    cause: ['card declined', 'browser and server', 'ApiError'],
  },
];

test.describe('from a screenshot to the cause, by keyboard', () => {
  let errata: ErrataProcess;

  test.beforeAll(async () => {
    errata = await new ErrataProcess().start();
  });

  test.afterAll(() => errata.stop());

  for (const { name, happen, title, cause } of FAILURES) {
    test(name, async ({ page, browser }) => {
      const theirs = await browser.newContext();
      const sent = await happen(await theirs.newPage(), errata.url);
      await theirs.close();

      await page.goto(`${errata.url}/console`);
      await tabTo(page, page.getByLabel('Console token'));
      await page.keyboard.insertText(TOKEN);
      await page.keyboard.press('Enter');
      const box = page.getByLabel('Paste a digest');
      await expect(box).toBeFocused();
      await page.keyboard.insertText(sent);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/console\/e\//);
      const main = page.locator('main');
      await expect(main.getByRole('heading', { level: 1 })).toContainText(title);
      for (const text of cause) await expect(main).toContainText(text);
    });
  }
});

/** Presses Tab until the element has the focus: every control must be reachable by keyboard. */
async function tabTo(page: Page, target: ReturnType<Page['locator']>): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 30; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}
