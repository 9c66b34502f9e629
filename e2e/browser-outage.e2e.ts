import { type BrowserContext, expect, type Page } from '@playwright/test';
import { test } from './fixtures/test.ts';
import { ErrataProcess, TOKEN } from './fixtures/errata-process.ts';
import { TunnelProxy } from './fixtures/tunnel-proxy.ts';
import { queuedIn, TunnelTries } from './fixtures/tunnel-tries.ts';

let errata: ErrataProcess;
let proxy: TunnelProxy;

test.beforeAll(async () => {
  errata = await new ErrataProcess().start();
});

test.beforeEach(async () => {
  proxy = await new TunnelProxy(errata.url).start();
});

test.afterEach(() => proxy.stop());
test.afterAll(() => errata.stop());

/** Opens a tab of the application and waits for its SDK. */
async function open(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await loaded(page);
  return page;
}

async function loaded(page: Page): Promise<void> {
  const sdk = page.waitForEvent('requestfinished', (request) => request.url().includes('/late-client-'));
  await page.goto(proxy.url);
  await sdk;
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
}

/** Throws an uncaught error in the page; not by a timer, which Playwright's clock would run. */
async function breakPage(page: Page, message: string): Promise<void> {
  await page.evaluate((text) => {
    queueMicrotask(() => {
      throw new RangeError(text);
    });
  }, message);
}

/** Waits until the event is in the store. */
async function stored(eventId = 'none'): Promise<void> {
  const url = `${errata.url}/console/api/events/${eventId}`;
  const authorized = { headers: { authorization: `Bearer ${TOKEN}` } };
  await expect.poll(async () => (await fetch(url, authorized)).status).toBe(200);
}

test('the tunnel is down, the page is reloaded twice, the tab closed: the error arrives once', async ({
  context,
}) => {
  const page = await open(context);
  const tries = new TunnelTries(context);
  proxy.state = 'reset';

  await breakPage(page, 'no listener');
  await expect.poll(() => tries.ended).toBeGreaterThan(0);
  for (let reload = 1; reload <= 2; reload += 1) {
    const before = tries.ended;
    await page.reload();
    await expect.poll(() => tries.ended).toBeGreaterThan(before);
  }
  await tries.closeTabs();
  const whileAway = [...proxy.sent];
  proxy.state = 'pass';
  const last = await open(context);
  await proxy.until((sent) => sent.some(({ isAccepted }) => isAccepted));

  const [first] = whileAway;
  const [accepted, ...more] = proxy.sent.filter(({ isAccepted }) => isAccepted);
  expect(whileAway.map(({ isAccepted }) => isAccepted)).not.toContain(true);
  expect(accepted?.items).toBe(first?.items);
  // The time of this try, not of the error or of an earlier try: the upstream takes a difference as the error of the
  // browser's clock, and would change the event's time by it.
  const sentAtMs = Date.parse(accepted?.sentAt ?? '');
  const earlierMs = whileAway.map(({ sentAt }) => Date.parse(sentAt));
  expect(sentAtMs).toBeGreaterThan(Math.max(...earlierMs));
  expect(sentAtMs).toBeLessThanOrEqual(accepted?.atMs ?? 0);
  await stored(first?.eventId);
  await expect.poll(() => queuedIn(last)).toBe(0);
  expect(more).toEqual([]);
});

const UNFINISHED: Readonly<Record<string, () => void>> = {
  // A busy disk: the database is open, but the browser reports it to no page.
  'could be opened': () => {
    IDBOpenDBRequest.prototype.addEventListener = () => undefined;
  },
  // A busy browser: database transactions in progress are dropped when the page closes, without an error.
  'has the error': () => {
    IDBObjectStore.prototype.put = function (this: IDBObjectStore) {
      return this.get(0);
    };
    IDBTransaction.prototype.addEventListener = () => undefined;
  },
};

for (const [step, breakKeep] of Object.entries(UNFINISHED)) {
  test(`a page that closes before its outbox ${step} loses nothing`, async ({ context }) => {
    const page = await context.newPage();
    await page.addInitScript(breakKeep);
    await loaded(page);
    proxy.state = 'hang';

    await breakPage(page, 'no answer, no keep');
    await proxy.until((sent) => sent.length === 1);
    await page.close();
    proxy.state = 'pass';
    const next = await open(context);
    await proxy.until((sent) => sent.some(({ isAccepted }) => isAccepted));

    expect(proxy.accepted).toEqual([proxy.sent[0]?.eventId]);
    await stored(proxy.sent[0]?.eventId);
    await next.waitForFunction(() => localStorage.length === 0);
  });
}

test('a page that closes during a retry loses nothing', async ({ context }) => {
  const page = await open(context);
  const tries = new TunnelTries(context);
  proxy.state = 'reset';
  await breakPage(page, 'one');
  await breakPage(page, 'two');
  await expect.poll(() => queuedIn(page)).toBe(2);

  await tries.closeTabs();
  proxy.state = 'hang';
  const before = proxy.sent.length;
  const again = await context.newPage();
  await again.goto(proxy.url);
  await proxy.until((sent) => sent.length > before);
  await again.close();
  proxy.state = 'pass';
  const last = await open(context);
  await proxy.until(() => proxy.accepted.length >= 2);

  const ids = new Set(proxy.sent.map(({ eventId }) => eventId));
  expect(ids.size).toBe(2);
  expect(new Set(proxy.accepted)).toEqual(ids);
  expect(proxy.accepted).toHaveLength(2);
  for (const id of ids) await stored(id);
  await expect.poll(() => queuedIn(last)).toBe(0);
});

test('two tabs with envelopes in the outbox lose none; reopened together, they send none twice', async ({
  context,
}) => {
  const one = await open(context);
  const other = await open(context);
  const tries = new TunnelTries(context);
  proxy.state = 'reset';
  for (const message of ['a', 'b', 'c']) {
    await breakPage(one, message);
    await breakPage(other, message);
  }
  await expect.poll(() => queuedIn(one)).toBe(6);

  await tries.closeTabs();
  proxy.state = 'pass';
  const [again] = await Promise.all([open(context), open(context)]);
  await proxy.until(() => new Set(proxy.accepted).size >= 6);
  await expect.poll(() => queuedIn(again)).toBe(0);

  expect(new Set(proxy.accepted).size).toBe(6);
  expect(proxy.accepted).toHaveLength(6);
  for (const id of proxy.accepted) await stored(id);
});

test('the process is killed while a page is open, and restarted: the error arrives', async ({ context }) => {
  const page = await open(context);

  await errata.kill();
  await breakPage(page, 'no server');
  await expect.poll(() => queuedIn(page)).toBe(1);
  await page.close();
  await errata.start();
  proxy.target = errata.url;
  const accepted = context.waitForEvent(
    'response',
    (response) => response.url().endsWith('/tunnel') && response.status() === 200,
  );
  const last = await open(context);

  const [header = ''] = (await accepted).request().postData()?.split('\n') ?? [];
  const { event_id: eventId } = JSON.parse(header) as { readonly event_id: string };
  await stored(eventId);
  await expect.poll(() => queuedIn(last)).toBe(0);
});

test('a page that closes before its SDK is loaded leaves its error to the next page', async ({ context }) => {
  proxy.hasNoSdk = true;
  const page = await context.newPage();
  await page.goto(`${proxy.url}/demo/client-error?who=ann`);
  await page.waitForFunction(() => localStorage.length === 1);
  await page.close();

  proxy.hasNoSdk = false;
  const next = await open(context);
  await proxy.until((sent) => sent.some(({ isAccepted }) => isAccepted));

  const [accepted] = proxy.sent;
  expect(accepted?.items).toContain('"type":"TypeError"');
  expect(accepted?.items).toContain(`"url":"${proxy.url}/demo/client-error"`);
  expect(accepted?.items).not.toContain('who=');
  await stored(accepted?.eventId);
  await next.waitForFunction(() => localStorage.length === 0);
  expect(proxy.sent).toHaveLength(1);
});

test('a browser without IndexedDB reports, keeps events in memory in an outage, and logs nothing', async ({
  context,
}) => {
  const noise: string[] = [];
  await context.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined }));
  const page = await open(context);
  const tries = new TunnelTries(context);
  await page.clock.install();
  page.on('console', (message) => noise.push(message.text()));
  page.on('pageerror', (error) => noise.push(error.message));
  proxy.state = { status: 503, headers: {} };

  await breakPage(page, 'nowhere to keep it');
  await proxy.until((sent) => sent.length === 1);
  proxy.state = 'pass';
  await tries.runClock(page, () => proxy.accepted.length > 0);

  expect(proxy.accepted).toEqual([proxy.sent[0]?.eventId]);
  // The error, and the browser's own line about the 503.
  expect(noise.filter((line) => !/nowhere to keep it|status of 503/.test(line))).toEqual([]);
  await stored(proxy.sent[0]?.eventId);
});
