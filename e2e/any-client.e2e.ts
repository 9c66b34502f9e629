import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, expect, type Page } from '@playwright/test';
import { ErrataProcess, TOKEN } from './fixtures/errata-process.ts';
import { PlainServer } from './fixtures/plain-server.ts';
import { see, type Visit } from './fixtures/seen-page.ts';
import { buildAstro, buildMkDocs, CDN, writePlainFolder } from './fixtures/site-clients.ts';
import type { SourceFolder } from './fixtures/source-folder.ts';
import { test } from './fixtures/test.ts';
import { buildVite } from './fixtures/vite-client.ts';

interface Client {
  readonly name: string;
  readonly build: () => SourceFolder | Promise<SourceFolder>;
  /** Host of some of its scripts and styles. */
  readonly cdn: string;
  /** What the policy of the folder alone reports. */
  readonly reported: readonly string[];
  /** What the policy in force blocks, though the host is allowed. */
  readonly blocked?: readonly string[];
  /** End of the last console message that its scripts write after a page has loaded. */
  readonly lastMessage?: string;
  readonly visits: readonly Visit[];
}

const CLOUDFLARE = 'https://cdnjs.cloudflare.com';
const HIGHLIGHT = `${CLOUDFLARE}/ajax/libs/highlight.js/10.5.0`;
/** Folder of the packages of Astro: `make clients` installs them, and MkDocs. */
const { ASTRO_MODULES } = process.env;

/**
 * An empty script, after which Astro's router knows that the page's scripts have run. Blocked, it tells the same. No policy
 * should allow `data:` for scripts: each text that an attacker puts into an address would be a script.
 */
const ASTRO_WAIT = 'data:application/javascript,';

async function press(page: Page): Promise<void> {
  await page.getByRole('button').click();
  await expect(page.getByRole('button')).toHaveText('Pressed');
}

const follow = (name: string) => (page: Page) => page.getByRole('link', { name, exact: true }).click();

/** The plain folder has in few lines what the pages of site generators have: those only show that none is forgotten. */
const SITES: Client[] = [
  {
    name: 'a plain folder',
    build: writePlainFolder,
    cdn: CDN,
    reported: [`${CDN}/style.css`],
    visits: [
      { path: '/', act: press, heading: 'Shop' },
      { path: '/', act: follow('Guide'), heading: 'Guide' },
      { path: '/', act: follow('About'), heading: 'Über uns' },
      { path: '/guide/', act: follow('Home'), heading: 'Shop' },
      { path: '/gone', heading: 'Gone' },
    ],
  },
];

if (ASTRO_MODULES !== undefined)
  SITES.push(
    {
      name: 'MkDocs',
      build: buildMkDocs,
      cdn: CLOUDFLARE,
      lastMessage: 'search ready',
      reported: [`${HIGHLIGHT}/highlight.min.js`, `${HIGHLIGHT}/styles/github.min.css`],
      visits: [
        { path: '/', act: follow('Orders'), heading: 'Orders' },
        { path: '/guide/orders/', act: search, heading: 'Orders' },
        { path: '/?q=Orders', heading: 'Shop' },
        { path: '/gone', heading: '404' },
      ],
    },
    {
      name: 'Astro',
      build: () => buildAstro(ASTRO_MODULES),
      cdn: CDN,
      reported: [`${CDN}/style.css`, ASTRO_WAIT],
      blocked: [ASTRO_WAIT],
      visits: [
        { path: '/', act: press, heading: 'Shop' },
        { path: '/', act: cross('Orders', 'Orders'), heading: 'Orders' },
        { path: '/guide/orders/', act: cross('Home', 'Shop'), heading: 'Shop' },
        { path: '/gone', heading: 'Gone' },
      ],
    },
  );

/** Follows a link whose page Astro's router puts into this one, and then announces to screen readers. */
function cross(name: string, title: string): (page: Page) => Promise<void> {
  return async (page) => {
    await follow(name)(page);
    await expect(page.locator('.astro-route-announcer')).toHaveText(title);
  };
}

async function search(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Search' }).click();
  await page.getByRole('searchbox').pressSequentially('answer');
  await expect(page.locator('#mkdocs-search-results article').first()).toBeVisible();
}

/** A client on a plain file server and on two Erratas: with the folder alone, and with its policy in force. */
class ServedClient {
  readonly plain: PlainServer;
  readonly alone: ErrataProcess;
  readonly inForce: ErrataProcess;
  readonly folder: SourceFolder;

  constructor(
    folder: SourceFolder,
    plain: PlainServer,
    sources: string,
    routes: Record<string, string> = {},
  ) {
    this.folder = folder;
    this.plain = plain;
    const environment = { ...routes, ERRATA_CLIENT_DIR: folder.dist };
    this.alone = new ErrataProcess({ environment });
    this.inForce = new ErrataProcess({
      environment: { ...environment, ERRATA_CSP: 'computed', ERRATA_CSP_EXTRA: sources },
    });
  }

  async start(): Promise<this> {
    await Promise.all([this.alone.start(), this.inForce.start()]);
    return this;
  }

  /** Compares what Chromium sees of both Erratas with what it sees of the plain file server, and returns violations. */
  async compare(browser: Browser, visits: readonly Visit[], lastMessage?: string) {
    const violations = { reported: new Set<string>(), blocked: new Set<string>() };
    await Promise.all(
      visits.map(async (visit) => {
        const servers = [this.plain, this.alone, this.inForce];
        const [theirs, alone, inForce] = await Promise.all(
          servers.map(async ({ url }) => {
            const page = await browser.newPage();
            const seen = await see(page, url, visit, lastMessage);
            await page.close();
            return seen;
          }),
        );
        alone?.violations.forEach((violation) => violations.reported.add(violation));
        inForce?.violations.forEach((violation) => violations.blocked.add(violation));

        expect({ ...alone, violations: [] }, 'with the folder alone').toEqual(theirs);
        expect({ ...inForce, violations: [] }, 'with its policy in force').toEqual(theirs);
      }),
    );
    const { reported, blocked } = violations;
    return { reported: [...reported].toSorted(), blocked: [...blocked].toSorted() };
  }

  async stop(): Promise<void> {
    await Promise.all([this.alone.stop(), this.inForce.stop(), this.plain.stop()]);
    this.folder.remove();
  }
}

for (const { name, build, cdn, lastMessage, visits, reported, blocked = [] } of SITES) {
  test(`a client of ${name} looks as on a plain file server, also with its policy in force and its host allowed`, async ({
    browser,
  }) => {
    const folder = await build();
    const plain = await new PlainServer(folder.dist, '404.html').start();
    const client = await new ServedClient(folder, plain, `script-src ${cdn}; style-src ${cdn}`).start();

    expect(await client.compare(browser, visits, lastMessage)).toEqual({
      reported: reported.toSorted(),
      blocked: blocked.toSorted(),
    });
    await client.stop();
  });
}

test.describe('a client of Vite and React Router', () => {
  let client: ServedClient;

  test.beforeAll(async () => {
    const folder = await buildVite();
    const plain = await new PlainServer(folder.dist, 'index.html').start();
    const routes = { ERRATA_CLIENT_ROUTES: 'spa' };
    client = await new ServedClient(folder, plain, `connect-src ${plain.url}`, routes).start();
  });

  test.afterAll(() => client.stop());

  test('looks as on a plain file server, also with its policy in force', async ({ browser }) => {
    const visits: Visit[] = [
      { path: '/', act: follow('Order 7'), heading: 'Order 7' },
      { path: '/orders/7?a=1#b', act: follow('Home'), heading: 'Shop' },
      { path: '/about', heading: 'About' },
    ];

    expect(await client.compare(browser, visits)).toEqual({ reported: [], blocked: [] });
  });

  test('has its script sent in a third of its size, soon after the start', async () => {
    const { dist } = client.folder;
    const script = readdirSync(join(dist, 'assets')).find((name) => /^index-.*\.js$/.test(name)) ?? '';
    const { size } = statSync(join(dist, 'assets', script));

    const sent = async (): Promise<Headers> =>
      (await fetch(`${client.alone.url}/assets/${script}`, { headers: { 'accept-encoding': 'br' } })).headers;
    await expect.poll(async () => (await sent()).get('content-encoding')).toBe('br');

    // 90 of 256 KB.
    expect(Number((await sent()).get('content-length')) / size).toBeLessThan(90 / 256);
  });

  /** The plain file server, under another name than the one that is allowed. */
  const api = (): string => client.plain.url.replace('127.0.0.1', 'localhost');
  const asking = (origin: string): string => `/?stock=${encodeURIComponent(`${origin}/stock.json`)}`;

  test('works with an API on another origin, and Delivery names the line that allows it', async ({
    page,
  }) => {
    await page.goto(client.alone.url + asking(api()));

    await expect(page.locator('#stock')).toHaveText('3 items');
    const headers = { authorization: `Bearer ${TOKEN}` };
    await expect
      .poll(async () => (await fetch(`${client.alone.url}/console/api/delivery`, { headers })).json())
      .toMatchObject({
        policy: [{ directive: 'connect-src', blocked: api(), allow: `connect-src ${api()}` }],
      });
  });

  test('has no answer under the computed policy, until the origin of its API is allowed', async ({
    page,
  }) => {
    await page.goto(client.inForce.url + asking(api()));
    await expect(page.locator('#stock')).toHaveText('no answer');

    await page.goto(client.inForce.url + asking(client.plain.url));
    await expect(page.locator('#stock')).toHaveText('3 items');
  });
});
