import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type axeCore from 'axe-core';
import type { EventDetail } from '@errata/backend/contract/event-api.ts';
import type { IssueAnswer } from '@errata/backend/contract/issues-api.ts';
import { expect, type Page } from '@playwright/test';
import { ask } from './fixtures/console-pages.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { bundleOf } from './fixtures/page-sdk.ts';
import { test } from './fixtures/test.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PAGE = `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<script src="/sdk.js"></script><main><h1>Shop</h1></main></html>`;

/** A page of another site than Errata, whose policy allows Errata's origin for scripts and connections only. */
class ShopPage {
  readonly #server: Server;
  #errataUrl = '';
  #sdk = '';

  private constructor() {
    this.#server = createServer(({ url }, response) => {
      const policy = `default-src 'none'; img-src data:; script-src 'self' ${this.#errataUrl}; connect-src ${this.#errataUrl}`;
      const isScript = url === '/sdk.js';
      response
        .writeHead(200, {
          'content-type': isScript ? 'text/javascript' : 'text/html',
          'content-security-policy': policy,
        })
        .end(isScript ? this.#sdk : PAGE);
    });
  }

  static async start(): Promise<ShopPage> {
    const shop = new ShopPage();
    await new Promise<void>((resolve) => shop.#server.listen(0, '127.0.0.1', resolve));
    return shop;
  }

  /** Another site than `http://127.0.0.1:…`. */
  get origin(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  async open(page: Page, errataUrl: string, sdk: string): Promise<void> {
    this.#errataUrl = errataUrl;
    this.#sdk = await bundleOf(sdk);
    await page.addInitScript(() => {
      const seen = Object.assign(window, { violations: [] as string[] });
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
        seen.violations.push(`${violatedDirective} ${blockedURI}`);
      });
    });
    await page.goto(this.origin);
  }

  stop(): Promise<void> {
    return this.#server[Symbol.asyncDispose]();
  }
}

/** Reports an error and shows the dialog of the SDK. Returns the ID of the event. */
function showDialog(page: Page, dsn: string): Promise<string> {
  return page.evaluate((project) => {
    const { Sentry } = window as unknown as { Sentry: typeof import('@sentry/browser') };
    const seen = Object.assign(window, { dialogsClosed: 0 });
    Sentry.init({ dsn: project });
    const eventId = Sentry.captureException(new Error('the cart is empty'));
    Sentry.showReportDialog({
      eventId,
      title: '<b>Sorry</b>',
      user: { name: 'Ann', email: 'ann@shop.example' },
      onClose: () => void (seen.dialogsClosed += 1),
    });
    return eventId;
  }, dsn);
}

const closedIn = (page: Page): Promise<unknown> => page.evaluate('window.dialogsClosed');

test.describe('the dialog of showReportDialog', () => {
  let shop: ShopPage;
  let errata: ErrataProcess;
  let dsn: string;

  test.beforeAll(async () => {
    shop = await ShopPage.start();
    errata = await new ErrataProcess({ environment: { ERRATA_TUNNEL_ORIGINS: shop.origin } }).start();
    const own = new URL(await errata.ownDsn());
    dsn = `http://${own.username}@${new URL(errata.url).host}${own.pathname}`;
  });

  test.afterAll(async () => {
    await errata.stop();
    await shop.stop();
  });

  for (const sdk of ['@sentry/browser', 'sentry-browser-10']) {
    test(`asks a person of another site, and keeps what they write on the issue: ${sdk}`, async ({
      page,
    }) => {
      await shop.open(page, errata.url, sdk);
      const eventId = await showDialog(page, dsn);
      const dialog = page.getByRole('dialog', { name: '<b>Sorry</b>' });
      await expect(dialog).toBeVisible();
      await page.evaluate(AXE);
      const violations = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: typeof axeCore };
        const found = await axe.run('dialog');
        return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
      });

      await expect(dialog.getByLabel('Name')).toBeFocused();
      await expect(dialog.getByLabel('Email')).toHaveValue('ann@shop.example');
      await dialog.getByLabel('What happened?').fill(' ');
      await dialog.getByRole('button', { name: 'Submit Crash Report' }).click();
      await expect(dialog.getByRole('status')).toHaveText(/^Some fields were invalid/);
      await dialog.getByLabel('What happened?').fill('I pressed “pay”');
      await dialog.getByRole('button', { name: 'Submit Crash Report' }).click();
      await expect(dialog.getByRole('status')).toHaveText('Your feedback has been sent. Thank you!');
      await page.keyboard.press('Enter');
      await expect(dialog).toBeHidden();
      await expect.poll(() => closedIn(page)).toBe(1);

      expect(violations).toEqual([]);
      expect(await page.evaluate('window.violations')).toEqual([]);
      await expect(async () => {
        const { digest } = await ask<EventDetail>(errata, `/console/api/events/${eventId}`);
        const { feedback } = await ask<IssueAnswer>(errata, `/console/api/issues/${digest}`);
        expect(feedback.filter((entry) => entry.eventId === eventId)).toMatchObject([
          { message: 'I pressed “pay”', name: 'Ann', contact: 'ann@shop.example' },
        ]);
      }).toPass();
    });
  }

  test('closes with Escape, and keeps the text of a person whose report is not accepted', async ({
    page,
  }) => {
    await shop.open(page, errata.url, '@sentry/browser');
    await page.route(/embed\/error-page/, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await showDialog(page, dsn);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What happened?').fill('I pressed “pay”');
    await dialog.getByRole('button', { name: 'Submit Crash Report' }).click();

    await expect(dialog.getByRole('status')).toHaveText(/^An unknown error occurred/);
    await expect(dialog.getByLabel('What happened?')).toHaveValue('I pressed “pay”');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect.poll(() => closedIn(page)).toBe(1);
  });
});
