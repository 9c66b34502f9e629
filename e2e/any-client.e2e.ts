import { readdirSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
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
  readonly isApplication?: boolean;
  /** Host of some of its scripts and styles. */
  readonly cdn?: string;
  /** What the policy of the folder alone reports. */
  readonly reported?: readonly string[];
  /** What the policy in force blocks, though the host is allowed. */
  readonly blocked?: readonly string[];
  /** End of the last console message that its scripts write after a page has loaded. */
  readonly lastMessage?: string;
  readonly visits: readonly Visit[];
}

const CLOUDFLARE = 'https://cdnjs.cloudflare.com';
const HIGHLIGHT = `${CLOUDFLARE}/ajax/libs/highlight.js/10.5.0`;
/** Folder of the packages of Astro, which take 126 MB: `make clients` installs them. */
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

const CLIENTS: Client[] = [
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
  {
    name: 'Vite and React Router',
    build: () => buildVite(),
    isApplication: true,
    visits: [
      { path: '/', act: follow('Order 7'), heading: 'Order 7' },
      { path: '/orders/7?a=1#b', act: follow('Home'), heading: 'Shop' },
      { path: '/about', heading: 'About' },
    ],
  },
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
];

if (ASTRO_MODULES !== undefined)
  CLIENTS.push({
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
  });

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

for (const { name, build, isApplication = false, cdn = '', lastMessage, visits, ...policies } of CLIENTS) {
  const { reported = [], blocked = [] } = policies;
  test.describe(`a client of ${name}`, () => {
    let client: SourceFolder;
    let plain: PlainServer;

    test.beforeAll(async () => {
      client = await build();
      plain = await new PlainServer(client.dist, isApplication ? 'index.html' : '404.html').start();
    });

    test.afterAll(async () => {
      await plain.stop();
      client.remove();
    });

    const inForce = {
      ERRATA_CSP: 'computed',
      ...(cdn !== '' && { ERRATA_CSP_EXTRA: `script-src ${cdn}; style-src ${cdn}` }),
    };
    for (const [policy, environment, expected] of [
      ['with the folder alone', {}, reported],
      ['with its policy in force and its host allowed', inForce, blocked],
    ] as const) {
      test(`looks as on a plain file server, ${policy}`, async ({ browser }) => {
        const errata = await new ErrataProcess({
          environment: {
            ...environment,
            ...(isApplication && { ERRATA_CLIENT_ROUTES: 'spa' }),
            ERRATA_CLIENT_DIR: client.dist,
          },
        }).start();

        const violations = new Set<string>();
        await Promise.all(
          visits.map(async (visit) => {
            const pages = await Promise.all([browser.newPage(), browser.newPage()]);
            const [mine, theirs] = await Promise.all([
              see(pages[0], errata.url, visit, lastMessage),
              see(pages[1], plain.url, visit, lastMessage),
            ]);
            for (const violation of mine.violations) violations.add(violation);

            expect({ ...mine, violations: [] }).toEqual(theirs);
            await Promise.all(pages.map((page) => page.close()));
          }),
        );
        expect([...violations].toSorted()).toEqual(expected.toSorted());
        await errata.stop();
      });
    }
  });
}

test('a script is sent in a third of its size, soon after the start', async () => {
  const client = await buildVite();
  const script = readdirSync(join(client.dist, 'assets')).find((name) => /^index-.*\.js$/.test(name)) ?? '';
  const { size } = statSync(join(client.dist, 'assets', script));
  const errata = await new ErrataProcess({ environment: { ERRATA_CLIENT_DIR: client.dist } }).start();

  const sent = async (): Promise<Headers> =>
    (await fetch(`${errata.url}/assets/${script}`, { headers: { 'accept-encoding': 'br' } })).headers;
  await expect.poll(async () => (await sent()).get('content-encoding')).toBe('br');

  // 90 of 256 KB.
  expect(Number((await sent()).get('content-length')) / size).toBeLessThan(90 / 256);
  await errata.stop();
  client.remove();
});

test.describe('a client with an API on another origin', () => {
  let api: Server;
  let client: SourceFolder;
  let apiOrigin: string;

  test.beforeAll(async () => {
    api = createServer((_, response) => {
      response.writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'application/json' });
      response.end('{"items":3}');
    });
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
    // Edge: the server listens on a port.
    apiOrigin = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
    client = await buildVite(`${apiOrigin}/stock`);
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
