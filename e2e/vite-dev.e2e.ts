import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FindAnswer } from '@errata/backend/contract/find-api.ts';
import type { Setup } from '@errata/backend/contract/setup-api.ts';
import { expect, type Page } from '@playwright/test';
import { createServer, type ViteDevServer } from 'vite';
import { viteProxy, WAYS } from '../frontend/src/console/setup/ways.ts';
import { packReact } from '../tools/pack.ts';
import { ask } from './fixtures/console-pages.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { PackedApplication } from './fixtures/packed-application.ts';
import { test } from './fixtures/test.ts';

/**
 * A new application on Vite's server in development, which is another origin than Errata: it has the code of the set-up page,
 * or that of the README, word by word.
 */

const README = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
const [, README_PROXY = ''] = /add `(server: [^`]+)` to `vite\.config\.ts`/.exec(README) ?? [];
const [, README_CODE = ''] = /^```tsx$(.*?)^```$/ms.exec(README) ?? [];

/** Values of the README's code, which a person replaces. */
const README_DSN = 'https://<key>@errata.invalid/1';
const README_ORIGIN = 'http://127.0.0.1:3000';

/** As `npm create vite` writes it for React, with a button that throws in an event handler and one that throws in a render. */
const MAIN = `
CODE
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

function App() {
  const [items, setItems] = useState<readonly string[] | undefined>([]);
  return (
    <>
      <button onClick={() => setItems(undefined)}>Break the cart</button>
      <p>{items!.length} items</p>
    </>
  );
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <ErrorBoundary><App /></ErrorBoundary>
  </StrictMode>,
);
`;

let errata: ErrataProcess;
let setup: Setup;
let browserDsn: string;
let shop: PackedApplication;
let vite: ViteDevServer | undefined;

test.beforeAll(async () => {
  errata = await new ErrataProcess({ environment: { ERRATA_DEMO: 'off' } }).start();
  setup = await ask<Setup>(errata, '/console/api/setup');
  browserDsn = setup.projects[0]?.browserDsn ?? '';
  shop = new PackedApplication(packReact(), 'frontend', ['@sentry/browser', 'vite']);
  shop.write(
    'index.html',
    '<!doctype html><div id="root"></div><script type="module" src="/src/main.tsx"></script>',
  );
});

test.afterEach(() => vite?.close());

test.afterAll(async () => {
  shop.remove();
  await errata.stop();
});

/** Starts Vite's server with a script and a line of its configuration, and opens the page. */
async function open(page: Page, script: string, line: string): Promise<void> {
  shop.write('src/main.tsx', script);
  shop.write(
    'vite.config.ts',
    `import { defineConfig } from 'vite';\nexport default defineConfig({\n${line}\n});`,
  );
  vite = await createServer({ root: shop.folder, logLevel: 'silent' });
  await vite.listen(0);
  await page.goto(vite.resolvedUrls?.local[0] ?? '');
}

async function arrives(message: string): Promise<void> {
  const query = new URLSearchParams({ q: `"${message}"` });
  await expect
    .poll(async () => (await ask<FindAnswer>(errata, `/console/api/find?${query}`)).issues.length)
    .toBe(1);
}

test('the README has the line of the set-up page for Vite', () => {
  expect(README_PROXY).toBe(viteProxy({ origin: README_ORIGIN, tunnel: '/tunnel' }));
});

for (const { name, code } of WAYS.filter(({ needsServerKey }) => !needsServerKey)) {
  test(`the code of the set-up page reports through the server of Vite: ${name}`, async ({ page }) => {
    await open(page, code({ browserDsn, serverDsn: '', tunnel: setup.tunnel }), viteProxy(setup));

    await arrives(`Test error: ${name}`);
  });
}

test('the code of the README reports through the server of Vite, and shows the error page', async ({
  page,
}) => {
  const code = README_CODE.replace(README_DSN, browserDsn);

  await open(page, MAIN.replace('CODE', code), README_PROXY.replace(README_ORIGIN, errata.url));
  await page.getByText('Break the cart').click();

  await expect(page.getByRole('alert').getByRole('heading')).toHaveText(/^Application error/);
  await arrives("reading 'length'");
});
