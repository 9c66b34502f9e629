import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FindAnswer } from '@errata/backend/contract/find-api.ts';
import { expect } from '@playwright/test';
import { build } from 'vite';
import { packReact } from '../tools/pack.ts';
import { ask } from './fixtures/console-pages.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { PackedApplication } from './fixtures/packed-application.ts';
import { SourceFolder } from './fixtures/source-folder.ts';
import { test } from './fixtures/test.ts';

/** What a new application has beside React. */
const OWN = ['@types/react', '@types/react-dom', 'react-router', 'typescript'];
const COMPILER = {
  jsx: 'react-jsx',
  lib: ['es2024', 'dom'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
};

/** DSN of an upstream that is away; the errors are stored all the same. */
const DSN = 'http://0123456789abcdef0123456789abcdef@127.0.0.1:9/1';
const SETTINGS = { SENTRY_DSN: DSN, SENTRY_RELEASE: 'shop@4.2.0', ERRATA_ERROR_PAGE: 'helpful' };

const INDEX = `<!doctype html>
META
<title>Shop</title>
<style>html { font-size: 62.5% } :root { font: 300 18px/145% serif; letter-spacing: 1px } #root { text-align: center }
#root h1 { margin: 32px; font: 32px fantasy; letter-spacing: -2px; text-transform: uppercase }</style>
<div id="root"></div>
<script type="module" src="/src/main.tsx"></script>
`;

/** The offers have a chunk of their own, by `lazy` of React or, as the README says, of React Router. */
const BY_REACT = `
const Offers = lazy(() => import('./offers'));
function Pages() {
  const [at, setAt] = useState(location.search);
  open = (to) => { history.pushState(null, '', to); setAt(location.search); };
  return at === '' ? <App /> : <Suspense><Offers /></Suspense>;
}`;
const BY_ROUTER = `
import { createBrowserRouter, RouterProvider, useRouteError } from 'react-router';
function Rethrow(): never { throw useRouteError(); }
const children = [{ path: '/book/', element: <App /> }, { path: '/book/index.html', lazy: () => import('./offers') }];
const router = createBrowserRouter([{ errorElement: <Rethrow />, children }]);
open = (to) => void router.navigate('/book/' + to);
const Pages = () => <RouterProvider router={router} />;`;

/** The workspace has that React. The DSN comes from the page, or from the call; the release from the page. */
const SHOPS = [
  {
    name: 'tea',
    version: '18',
    workspace: 'e2e',
    meta: '<meta name="errata" content="%ERRATA_SETTINGS%">',
    options: '',
    pages: BY_REACT,
  },
  {
    name: 'book',
    version: '19',
    workspace: 'frontend',
    meta: '',
    options: JSON.stringify({ dsn: DSN }),
    pages: BY_ROUTER,
  },
] as const;

const SOURCE = `
import { ErrorBoundary, startReporting } from 'errata-react';
import { lazy, Suspense, useState } from 'react';
import { createRoot } from 'react-dom/client';
let open: (to: string) => void;
function Cart({ items }: { items: readonly string[] | undefined }) {
  if (items === undefined) throw new TypeError('the SHOP cart has no items');
  return <p>{items.length}</p>;
}
function App() {
  const [items, setItems] = useState<readonly string[] | undefined>([]);
  return <>
    <h1>Shop</h1><Cart items={items} />
    <button onClick={() => setItems(undefined)}>Break the cart</button>
    <button onClick={() => { throw new RangeError('the SHOP order has no number'); }}>Break the order</button>
    <button onClick={() => open('index.html?page=offers')}>Open the offers</button>
  </>;
}
PAGES
startReporting(OPTIONS); const root = document.getElementById('root');
if (root) createRoot(root).render(<ErrorBoundary><Pages /></ErrorBoundary>);
`;

/** Errata serves a folder with both applications. */
let client: SourceFolder;
let errata: ErrataProcess;
const shops: PackedApplication[] = [];

test.beforeAll(async () => {
  client = new SourceFolder('', { 'index.html': '<!doctype html><title>Shops</title>' });
  const tarball = packReact();
  for (const { name, workspace, meta, options, pages } of SHOPS) {
    const shop = new PackedApplication(tarball, workspace, OWN);
    shops.push(shop);
    shop.write(
      'src/main.tsx',
      SOURCE.replace('PAGES', pages).replace('OPTIONS', options).replaceAll('SHOP', name),
    );
    shop.write(
      'src/offers.tsx',
      'export const Component = () => <h1>Offers {location.search}</h1>; export default Component;',
    );
    shop.write('index.html', INDEX.replace('META', meta));
    await build({
      root: shop.folder,
      base: `/${name}/`,
      configFile: false,
      logLevel: 'error',
      // No plugin. React is the application's for the linked packages too.
      resolve: { alias: { react: join(shop.folder, 'node_modules', 'react') } },
      build: { outDir: join(client.path, name) },
    });
  }
  errata = await new ErrataProcess({ environment: { ERRATA_CLIENT_DIR: client.path, ...SETTINGS } }).start();
});

test.afterAll(async () => {
  await errata.stop();
  for (const folder of [client, ...shops]) folder.remove();
});

/** Returns the titles of the issues that the console finds. */
async function titles(words: string): Promise<readonly string[]> {
  const { issues } = await ask<FindAnswer>(errata, `/console/api/find?${new URLSearchParams({ q: words })}`);
  return issues.map(({ title }) => title);
}

for (const [index, { name, version }] of SHOPS.entries()) {
  test.describe(`the packed React package in an application with React ${version}`, () => {
    test('is a client module from its first line, and compiles without skipLibCheck', () => {
      const file = join(shops[index]?.folder ?? '', 'node_modules', 'errata-react', 'dist', 'index.js');
      expect(readFileSync(file, 'utf8')).toMatch(/^["']use client["'];\n/);
      expect(shops[index]?.compile({ ...COMPILER, outDir: 'compiled' })).toBe('');
    });

    test('shows the error page in its own style, and reports the error with the release of the page', async ({
      page,
    }) => {
      await page.goto(`${errata.url}/${name}/`);
      await page.getByText('Break the cart').click();

      const sentence = page.getByRole('alert').getByRole('heading');
      await expect(sentence).toHaveText(/^Application error: a client-side exception has occurred/);
      const style = await sentence.evaluate((element) => {
        const { font, letterSpacing, margin, textAlign, textTransform } = getComputedStyle(element);
        return `${margin} ${letterSpacing} ${textAlign} ${textTransform} ${font}`;
      });
      expect(style).toMatch(/^0px normal start none 500 18px \/ 27.9px system-ui/);
      await expect
        .poll(() => titles(`release:shop@4.2.0 "the ${name} cart has no items"`))
        .toEqual([`TypeError: the ${name} cart has no items`]);
      const reference = await page.getByRole('alert').locator('code').innerText();
      await expect.poll(() => titles(reference)).toEqual([`TypeError: the ${name} cart has no items`]);
      await page.getByRole('button', { name: 'Try again' }).click();
      await expect(page.getByRole('heading')).toHaveText('Shop');
    });

    test('reloads once, at the address asked for, where a chunk is lost, and reports what stays lost', async ({
      page,
    }) => {
      let [loads, losses] = [0, 1];
      page.on('load', () => (loads += 1));
      await page.route('**/offers-*.js', (route) => (losses-- > 0 ? route.abort() : route.continue()));
      const lost = (): Promise<readonly string[]> => titles(`url:/${name} "dynamically imported module"`);
      await page.goto(`${errata.url}/${name}/`);
      await page.getByText('Open the offers').click();
      await expect(page.getByRole('heading')).toHaveText('Offers ?page=offers');
      expect([loads, await lost()]).toEqual([2, []]);

      losses = 3;
      await page.evaluate(() => sessionStorage.clear());
      await page.goto(`${errata.url}/${name}/`);
      await page.getByText('Open the offers').click();
      await expect(page.getByRole('alert')).toBeVisible();
      expect(loads).toBe(4);
      await expect.poll(lost).toHaveLength(1);
    });

    test('reports an error that no code handles, and leaves the page and its style alone', async ({
      page,
    }) => {
      await page.goto(`${errata.url}/${name}/`);
      await page.getByText('Break the order').click();

      await expect
        .poll(() => titles(`"the ${name} order has no number"`))
        .toEqual([`RangeError: the ${name} order has no number`]);
      await expect(page.getByRole('heading')).toHaveText('Shop');
      expect(await page.locator('body').evaluate((element) => getComputedStyle(element).margin)).toBe('8px');
    });
  });
}
