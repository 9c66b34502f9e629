import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test';

/** What Lighthouse calls "slow 4G", and a phone of the middle: https://github.com/GoogleChrome/lighthouse (throttling). */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 93_750 };
const CPU_SLOWDOWN = 4;

/** For the page: the largest paint so far, as `lcpMs`. */
const NOTE_LARGEST_PAINT = `new PerformanceObserver((list) => {
  for (const { startTime } of list.getEntries()) globalThis.lcpMs = startTime;
}).observe({ type: 'largest-contentful-paint', buffered: true });`;

/** One first visit of a page: nothing is cached. */
export interface Visit {
  readonly lcpMs: number;
  readonly requests: number;
  /** URLs of the scripts that were loaded, in that order. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

/** Sign-in cookies to visit with, as another context holds them; none: signed out. */
export type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

/**
 * Visits a page as a phone on a slow network does, until the network is quiet.
 *
 * @param late a file that comes later than the rest and is waited for; null: none does
 */
export async function visit(
  browser: Browser,
  url: string,
  cookies: Cookies,
  late: RegExp | null,
): Promise<Visit> {
  const context = await browser.newContext();
  await context.addCookies([...cookies]);
  const page = await context.newPage();
  const loaded: { readonly url: string; readonly kind: string }[] = [];
  page.on('request', (request) => loaded.push({ url: request.url(), kind: request.resourceType() }));
  await page.addInitScript(NOTE_LARGEST_PAINT);
  await slowDown(await context.newCDPSession(page));
  const lateFile =
    late === null ? undefined : page.waitForEvent('requestfinished', (request) => late.test(request.url()));
  await Promise.all([page.goto(url, { waitUntil: 'networkidle' }), lateFile]);
  const lcpMs = await largestPaintOf(page);
  await context.close();
  const ofKind = (kind: string) => loaded.filter((one) => one.kind === kind).map((one) => one.url);
  return { lcpMs, requests: loaded.length, scripts: ofKind('script'), styles: ofKind('stylesheet') };
}

async function slowDown(session: CDPSession): Promise<void> {
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', SLOW_4G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
}

/** @throws when nothing was painted. */
async function largestPaintOf(page: Page): Promise<number> {
  await page.waitForFunction(() => 'lcpMs' in globalThis);
  return page.evaluate(() => (globalThis as unknown as { lcpMs: number }).lcpMs);
}
