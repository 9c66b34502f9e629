import { expect, type Page } from '@playwright/test';
import { test } from './fixtures/test.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  SmallProvider,
} from '../backend/src/console/auth/oidc/small-provider.fixture.ts';
import { errorEnvelope, newEventId } from './fixtures/envelopes.ts';
import { ErrataProcess, TOKEN } from './fixtures/errata-process.ts';

/** Everything below one path of a host that serves other applications beside it. */

const BASE = '/errata';
const NAVIGATION = { accept: 'text/html', 'sec-fetch-dest': 'document' };

test.describe('below a base path', () => {
  let provider: SmallProvider;
  let errata: ErrataProcess;

  test.beforeAll(async () => {
    provider = await SmallProvider.listen({ ann: { email: 'ann@example.org', email_verified: true } });
    errata = await new ErrataProcess({
      environment: {
        ERRATA_BASE_PATH: BASE,
        ERRATA_CONSOLE_LINK: 'on',
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: CLIENT_ID,
        OIDC_CLIENT_SECRET: CLIENT_SECRET,
        OIDC_OPERATORS: 'ann@example.org',
      },
    }).start();
    provider.serve(`${errata.url}/console/api/oidc/return`);
  });

  test.afterAll(async () => {
    await errata.stop();
    await provider.close();
  });

  /** Opens a page and returns the requests that left the base path. */
  function strays(page: Page): readonly string[] {
    const paths: string[] = [];
    page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url());
      if (origin === new URL(errata.url).origin && !pathname.startsWith(`${BASE}/`)) paths.push(pathname);
    });
    return paths;
  }

  test('a server error is found by its digest, after a sign-in with the token', async ({ page }) => {
    const left = strays(page);
    await page.goto(`${errata.url}/demo/server-error?id=4711`);
    const digest = /[0-9A-Z]{4}-[0-9A-Z]{4}/.exec(await page.locator('body').innerText())?.[0] ?? '';
    await page.goto(`${errata.url}/console/e/${digest}`);
    await page.getByLabel('Console token').fill(TOKEN);
    await page.keyboard.press('Enter');

    await expect(page.getByRole('heading', { level: 1 })).toContainText('CheckoutError');
    expect(new URL(page.url()).pathname).toBe(`${BASE}/console/e/${digest}`);
    await page.getByRole('link', { name: 'Issues' }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Issues' })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Issues' })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(`${BASE}/console/issues`);
    expect(await page.context().cookies(errata.url)).toMatchObject([{ name: 'errata-session', path: BASE }]);
    expect(left).toEqual([]);
  });

  test('a browser error goes through the tunnel', async ({ page }) => {
    const left = strays(page);
    const sent = page.waitForResponse((response) => response.url().endsWith(`${BASE}/tunnel`));
    await page.goto(`${errata.url}/demo/client-error`);
    await expect(page.getByRole('alert')).toBeVisible();

    expect((await sent).status()).toBe(200);
    expect(left).toEqual([]);
  });

  test('the provider and the link of the banner lead back into it', async ({ page, browser }) => {
    await page.goto(`${errata.url}/console/issues?status=all`);
    await page.getByRole('link', { name: 'Sign in with SSO' }).click();
    await page.getByLabel('Account').fill('ann');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${errata.url}/console/issues?status=all`);
    await expect(page.getByRole('heading', { level: 1, name: 'Issues' })).toBeVisible();

    const context = await browser.newContext();
    const other = await context.newPage();
    await other.goto(await errata.signInLink());
    await other.waitForURL(`${errata.url}/console`);
    await expect(other.getByLabel('Paste a digest')).toBeVisible();
    await context.close();
  });

  test('a DSN with the path sends to it, and every other path of the host is a 404', async () => {
    const { origin } = new URL(errata.url);
    const body = errorEnvelope(await errata.ownDsn(), newEventId(), 'sent to a path');
    const post = async (path: string) => (await fetch(origin + path, { method: 'POST', body })).status;
    const get = async (path: string) => (await fetch(origin + path, { headers: NAVIGATION })).status;

    expect(await Promise.all([`${BASE}/api/1/envelope/`, `${BASE}/tunnel`].map(post))).toEqual([200, 200]);
    expect(await Promise.all(['/api/1/envelope/', '/tunnel', '/reports'].map(post))).toEqual([404, 404, 404]);
    expect(await Promise.all([BASE, `${BASE}/`, `${BASE}/console`].map(get))).toEqual([200, 200, 200]);
    expect(
      await Promise.all(['/', '/console', '/console/api/session', '/erratas', '/favicon.ico'].map(get)),
    ).toEqual([404, 404, 404, 404, 404]);
  });
});
