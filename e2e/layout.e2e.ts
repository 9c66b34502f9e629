import { expect, type Locator, type Page } from '@playwright/test';
import type { FindAnswer } from '@errata/backend/contract/find-api.ts';
import { ask, seed, send, signIn } from './fixtures/console-pages.ts';
import { newEventId } from './fixtures/envelopes.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { FakeUpstream } from './fixtures/fake-upstream.ts';
import { test } from './fixtures/test.ts';

const DAY_S = 24 * 60 * 60;

/** An error with this class and message, `ageDays` old, with breadcrumbs for a timeline. */
function event(dsn: string, type: string, value: string, ageDays = 0): string {
  const eventId = newEventId();
  const timestamp = Date.now() / 1_000 - ageDays * DAY_S;
  const body = {
    event_id: eventId,
    platform: 'javascript',
    timestamp,
    release: 'shop@1.4.2',
    environment: 'production',
    user: { email: 'ann@example.org' },
    request: { url: 'https://shop.example/checkout/payment' },
    exception: { values: [{ type, value }] },
    breadcrumbs: { values: [{ category: 'ui.click', message: 'button#pay', timestamp: timestamp - 1 }] },
  };
  const header = { event_id: eventId, dsn, sent_at: new Date().toISOString() };
  return [header, { type: 'event' }, body].map((part) => JSON.stringify(part)).join('\n');
}

async function heightsOf(page: Page, rows: string): Promise<readonly number[]> {
  await page.locator(rows).first().waitFor();
  return page.locator(rows).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
}

let errata: ErrataProcess;
let page: Page;
const upstream = new FakeUpstream();

test.beforeAll(async ({ browser }) => {
  await upstream.up();
  errata = await new ErrataProcess({ environment: { SENTRY_DSN: upstream.dsn } }).start();
  for (let number = 0; number < 16; number += 1)
    await send(errata, event(upstream.dsn, `Error${number}`, `cart of order is undefined`));
  page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await signIn(page, errata.url);
});

test.afterAll(async () => {
  await page.close();
  expect(await errata.stop()).toBe(0);
  await upstream.down();
});

/** Returns the boxes of time, title and text of each row. */
function partsOf(rows: Locator) {
  return rows.evaluateAll((all) =>
    all.map((row) =>
      ['time', 'a', 'p'].map((part) => {
        const { left, right, top, bottom } =
          row.querySelector(part)?.getBoundingClientRect() ?? new DOMRect();
        return { left, right, top, bottom };
      }),
    ),
  );
}

test('an event of last year covers no title on the live page, at 320 to 1920 px', async () => {
  await page.goto(`${errata.url}/console/live`);
  await expect(page.getByRole('status').filter({ hasText: /^Live$/ })).toBeVisible();
  await send(errata, event(upstream.dsn, 'LastYear', 'came late', 340));
  await send(errata, event(upstream.dsn, 'Today', 'came now'));
  const rows = page.getByRole('list', { name: 'Live errors' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);

  for (const width of [320, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    for (const parts of await partsOf(rows)) {
      for (const [index, one] of parts.entries()) {
        for (const other of parts.slice(index + 1)) {
          const isApart =
            one.right <= other.left ||
            other.right <= one.left ||
            one.bottom <= other.top ||
            other.bottom <= one.top;
          expect(isApart, JSON.stringify([width, one, other])).toBe(true);
        }
      }
    }
  }
});

test('every page begins at one edge', async () => {
  const edges = new Set<number | undefined>();
  for (const path of ['', '/issues', '/live', '/delivery', '/setup']) {
    await page.goto(`${errata.url}/console${path}`);
    edges.add((await page.getByRole('heading', { level: 1 }).boundingBox())?.x);
  }
  expect([...edges]).toEqual([expect.any(Number)]);
});

test('rows are dense enough to scan, section headings large enough to find', async () => {
  // With issues that carry badges: a resolved one that is regressed.
  await seed(errata);
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.goto(`${errata.url}/console/issues`);
  const issues = await heightsOf(page, 'tbody tr');
  const inSight = await page
    .locator('tbody tr')
    .evaluateAll((all) => all.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length);
  await page.goto(`${errata.url}/console`);
  const found = await heightsOf(page, 'main li:has([data-row])');
  const sizes = await page
    .getByRole('heading', { level: 2 })
    .evaluateAll((all) => all.map((heading) => Number.parseFloat(getComputedStyle(heading).fontSize)));

  expect(Math.max(...issues, ...found)).toBeLessThanOrEqual(44);
  expect(inSight).toBeGreaterThanOrEqual(14);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(18);
});

test('a message of 12,000 characters is folded, and shown whole when asked for', async () => {
  await send(errata, event(upstream.dsn, 'LongError', 'a long message '.repeat(800)));
  const found = (): Promise<FindAnswer> => ask(errata, '/console/api/find?q=LongError');
  await expect.poll(async () => (await found()).issues.length).toBe(1);
  await page.goto(`${errata.url}/console?q=LongError`);
  await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  const folded = (await page.getByRole('heading', { name: 'Timeline' }).boundingBox())?.y ?? Number.NaN;

  await page.getByRole('button', { name: 'Show all' }).click();
  const whole = (await page.getByRole('heading', { name: 'Timeline' }).boundingBox())?.y ?? Number.NaN;

  expect(folded).toBeLessThan(860);
  expect(whole - folded).toBeGreaterThan(500);
  await expect(page.getByRole('button', { name: 'Show less' })).toBeVisible();
});
