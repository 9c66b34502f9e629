import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page } from '@playwright/test';
import { ErrataProcess, TOKEN } from './fixtures/errata-process.ts';
import { ForeignClient, PlainServer } from './fixtures/foreign-client.ts';
import { test } from './fixtures/test.ts';

/** What a person and a developer see of one page. */
interface Seen {
  readonly text: string;
  readonly messages: readonly string[];
  readonly failed: readonly string[];
  /** Style of the heading, and what the inline script sets. */
  readonly style: string;
}

async function see(page: Page, origin: string, path: string): Promise<Seen> {
  const messages: string[] = [];
  const failed: string[] = [];
  const withoutOrigin = (text: string): string => text.replaceAll(origin, '');
  page.on('console', (message) => messages.push(withoutOrigin(message.text())));
  page.on('pageerror', (error) => messages.push(withoutOrigin(error.message)));
  page.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${withoutOrigin(response.url())}`);
  });
  page.on('requestfailed', (request) => failed.push(withoutOrigin(request.url())));
  await page.goto(origin + path);
  await expect(page.locator('h1')).toBeVisible();
  await expect(page.locator('#stock', { hasText: 'loading' })).toHaveCount(0);
  const text = await page.locator('body').innerText();
  const style = await page.evaluate(() => {
    const heading = document.querySelector('h1') ?? document.body;
    const { color, margin, fontWeight } = getComputedStyle(heading);
    return [color, margin, fontWeight, document.documentElement.dataset['theme']].join(' ');
  });
  return { text, messages, failed, style };
}

test.describe('the client of another team', () => {
  let client: ForeignClient;
  let plain: PlainServer;

  test.beforeAll(async () => {
    client = await ForeignClient.build();
    plain = await new PlainServer(client.dist).start();
  });

  test.afterAll(async () => {
    await plain.stop();
    client.remove();
  });

  for (const [name, environment, paths] of [
    ['the folder alone', {}, ['/']],
    ['spa', { ERRATA_CLIENT_ROUTES: 'spa' }, ['/', '/orders/7', '/about', '/orders/7?a=1#b']],
    [
      'spa and the computed policy',
      { ERRATA_CLIENT_ROUTES: 'spa', ERRATA_CSP: 'computed' },
      ['/', '/orders/7', '/about'],
    ],
  ] as const) {
    test(`looks as on a plain file server, with ${name}`, async ({ browser }) => {
      const errata = await new ErrataProcess({
        environment: { ...environment, ERRATA_CLIENT_DIR: client.dist },
      }).start();

      for (const path of paths) {
        const [mine, theirs] = [await browser.newPage(), await browser.newPage()];
        const seen = await see(mine, errata.url, path);

        expect(seen).toEqual(await see(theirs, plain.url, path));
        expect(seen.text).not.toBe('');
        await Promise.all([mine.close(), theirs.close()]);
      }
      await errata.stop();
    });
  }
});

test.describe('a client with an API on another origin', () => {
  let api: Server;
  let client: ForeignClient;
  let apiOrigin: string;

  test.beforeAll(async () => {
    api = createServer((_, response) => {
      response.writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'application/json' });
      response.end('{"items":3}');
    });
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
    // Edge: the server listens on a port.
    apiOrigin = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    client = await ForeignClient.build(`${apiOrigin}/stock`);
  });

  test.afterAll(async () => {
    await api[Symbol.asyncDispose]();
    client.remove();
  });

  async function start(environment: Readonly<Record<string, string>>): Promise<ErrataProcess> {
    return new ErrataProcess({ environment: { ...environment, ERRATA_CLIENT_DIR: client.dist } }).start();
  }

  test('works under the policy that only reports, and Delivery names the line that allows it', async ({
    page,
  }) => {
    const errata = await start({});
    await page.goto(errata.url);

    await expect(page.locator('#stock')).toHaveText('3 items');
    const headers = { authorization: `Bearer ${TOKEN}` };
    await expect
      .poll(async () => (await fetch(`${errata.url}/console/api/delivery`, { headers })).json())
      .toMatchObject({
        policy: [{ directive: 'connect-src', blocked: apiOrigin, allow: `connect-src ${apiOrigin}` }],
      });
    await errata.stop();
  });

  test('has no answer under the computed policy, until its origin is allowed', async ({ page }) => {
    const strict = await start({ ERRATA_CSP: 'computed' });
    await page.goto(strict.url);
    await expect(page.locator('#stock')).toHaveText('no answer');
    await strict.stop();

    const allowed = await start({ ERRATA_CSP: 'computed', ERRATA_CSP_EXTRA: `connect-src ${apiOrigin}` });
    await page.goto(allowed.url);
    await expect(page.locator('#stock')).toHaveText('3 items');
    await allowed.stop();
  });
});
