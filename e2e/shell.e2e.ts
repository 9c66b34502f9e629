import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/test.ts';
import type { FindAnswer } from '@errata/backend/contract/find-api.ts';
import { ask, signIn } from './fixtures/console-pages.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';

const CLIENT_TEXT =
  'Application error: a client-side exception has occurred (see the browser console for more information).';
const SERVER_TEXT =
  'Application error: a server-side exception has occurred (see the server logs for more information).';
/** Files of no page: the SDK, and what a page without a session shows. */
const LATER = /\/(?:late-client|no-session|sign-in-card)-/;
const DIGEST = /[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}/;

async function visibleText(page: Page): Promise<string> {
  return (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ').trim();
}

/** Waits until the store has the error, pastes a text into the console's search and waits for the answer page. */
async function find(page: Page, errata: ErrataProcess, pasted: string): Promise<void> {
  const found = (): Promise<FindAnswer> => ask(errata, `/console/api/find?q=${encodeURIComponent(pasted)}`);
  await expect.poll(async () => (await found()).issues.length).toBeGreaterThan(0);
  await page.goto(`${errata.url}/console`);
  const box = page.getByLabel('Paste a digest');
  await box.fill(pasted);
  await box.press('Enter');
  await page.waitForURL(/\/console\/e\//);
}

test.describe('from an error on the screen to its cause', () => {
  let errata: ErrataProcess;

  test.beforeAll(async () => {
    errata = await new ErrataProcess({ environment: { ERRATA_CONSOLE_LINK: 'on' } }).start();
  });

  test.afterAll(() => errata.stop());

  for (const path of ['/console', '/console/e/7K3M-QX4T', '/console/issues', '/console/delivery']) {
    test(`all files of ${path} are loaded together, each one once`, async ({ page }) => {
      const loaded: string[] = [];
      page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
      // The SDK, which the page loads when it is idle, is the last file.
      const last = page.waitForEvent('requestfinished', (request) => request.url().includes('/late-client-'));
      const answer = await page.goto(errata.url + path);
      await expect(page.getByLabel('Console token')).toBeVisible();
      await last;
      const link = answer?.headers().link ?? '';
      const announced = [...link.matchAll(/<([^>]+)>/g)].map(([, file]) => file);
      const html = (await answer?.text()) ?? '';
      const entry = [...html.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, file]) => file);
      const ofPage = loaded.filter((file) => file.startsWith('/console/assets/') && !LATER.test(file));

      expect(announced.length).toBeGreaterThan(1);
      expect(ofPage).toHaveLength(announced.length + entry.length);
      expect(new Set(ofPage)).toEqual(new Set([...announced, ...entry]));
    });
  }

  test('break the server: the exact text and a digest that the console finds with its stack', async ({
    page,
  }) => {
    const home = await page.goto(errata.url);
    // Without a script, too.
    expect(await home?.text()).toMatch(/<noscript>[^]*href="\/demo\/server-error[^"]*"[^]*<\/noscript>/);
    await page.getByText('Break the server').click();
    await expect(page).toHaveTitle('Application error');
    const text = await visibleText(page);
    expect(text).toMatch(
      new RegExp(`^${SERVER_TEXT.replaceAll(/[().]/g, '\\$&')} Digest: ${DIGEST.source}$`),
    );

    await signIn(page, errata.url);
    await find(page, errata, text);

    await expect(page.getByRole('heading', { level: 1 })).toContainText('CheckoutError');
    await expect(page.locator('main')).toContainText(DIGEST.exec(text)?.[0] ?? 'no digest');
    await expect(page.locator('main')).toContainText('demo.controller');
    await expect(page.locator('main')).toContainText('could not be charged');
    await expect(page.locator('main')).toContainText('card declined');
  });

  test('break this page: the exact text, and a reference in the browser console and a link on the home page to the mapped stack', async ({
    page,
  }) => {
    const printed: string[] = [];
    page.on('console', (message) => printed.push(message.text()));
    const sent = page.waitForResponse((response) => response.url().endsWith('/tunnel'));
    await page.goto(errata.url);
    await page.getByText('Break this page').click();
    await expect(page.getByRole('alert')).toBeVisible();
    expect(await visibleText(page)).toBe(CLIENT_TEXT);
    expect((await sent).status()).toBe(200);
    const reference = new RegExp(`Reference: (${DIGEST.source})`).exec(printed.join('\n'))?.[1] ?? '';

    await signIn(page, errata.url);
    await find(page, errata, reference);

    await expect(page.getByRole('heading', { level: 1 })).toContainText('TypeError');
    await expect(page.locator('main')).toContainText('app/demo-pages.tsx');
    await expect(page.locator('main')).toContainText('BrokenPage');
    await expect(page.locator('main')).toContainText('cart.items.length');

    await page.goto(errata.url);
    await page.getByRole('link', { name: 'Find it in the console' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('TypeError');
    await expect(page.locator('main')).toContainText('BrokenPage');
  });

  test('the pages do not violate their content security policy', async ({ page }) => {
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy|Trusted/i.test(message.text())) complaints.push(message.text());
    });
    await signIn(page, errata.url);
    for (const path of ['/', '/nope', '/demo/server-error?id=1', '/demo/client-error', '/console']) {
      await page.goto(errata.url + path);
      await expect(page.locator('h1')).toBeVisible();
    }

    expect(complaints).toEqual([]);
  });

  test('a console page that is opened offline says so in the frame, and opens later without a reload', async ({
    page,
    context,
  }) => {
    let loads = 0;
    page.on('load', () => (loads += 1));
    const heading = (name: string) => page.getByRole('main').getByRole('heading', { level: 1, name });
    const delivery = page.getByRole('link', { name: 'Delivery', exact: true });
    await signIn(page, errata.url);
    await page.goto(`${errata.url}/console/issues`);
    await expect(heading('Issues')).toBeVisible();

    await context.setOffline(true);
    await delivery.click();
    await expect(heading('This page could not be loaded')).toBeVisible();
    await page.goBack();
    await expect(heading('Issues')).toBeVisible();
    await delivery.click();
    await expect(heading('This page could not be loaded')).toBeVisible();
    await context.setOffline(false);

    await expect(heading('Delivery')).toBeVisible();
    // One that did not load cannot be read.
    const rules = await page.evaluate(() =>
      Array.from(document.styleSheets, (sheet) => sheet.cssRules.length),
    );
    expect(Math.min(...rules)).toBeGreaterThan(0);
    await expect(page.getByText('Server unreachable')).toBeHidden();
    expect(loads).toBe(1);
  });

  test('the console opens by the printed link once', async ({ page, context }) => {
    const link = await errata.signInLink();

    await page.goto(link);
    await page.waitForURL(/\/console$/);
    const [cookie] = await context.cookies();
    const again = await fetch(`${errata.url}/console/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: link.split('#')[1] }),
    });

    expect(cookie).toMatchObject({ name: 'errata-session', httpOnly: true, sameSite: 'Strict' });
    expect(again.status).toBe(401);
    expect(JSON.stringify(errata.records)).not.toContain(link.split('#')[1]);
  });
});
