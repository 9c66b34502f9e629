import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect } from '@playwright/test';
import { hasContentHash } from '../backend/src/web/content-hash.ts';
import { test } from './fixtures/test.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';

const NAVIGATION = { accept: 'text/html,*/*;q=0.8', 'sec-fetch-dest': 'document' };
const isHome = (path: string): boolean => path === '/' || path === '/index.html';
const assets = readdirSync(join(import.meta.dirname, '..', 'frontend', 'dist', 'console', 'assets'));
// One hash in twenty reads as words.
const script = assets.find((name) => name.endsWith('.js') && hasContentHash(name)) ?? '';

test.describe('the host', () => {
  let errata: ErrataProcess;

  test.beforeAll(async () => {
    errata = await new ErrataProcess().start();
  });

  test.afterAll(() => errata.stop());

  const get = (path: string, headers: Record<string, string> = {}) => fetch(errata.url + path, { headers });

  /** The path goes out as it is written; fetch would normalise it. */
  async function rawGet(path: string, headers: Record<string, string>): Promise<IncomingMessage> {
    const sent = request(errata.url, { path, headers }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer.resume();
  }

  for (const path of [
    '/',
    '/index.html',
    '/console',
    '/console/e/7KQ4-M2XD',
    '/console/sign-in',
    '/demo/client-error',
  ]) {
    test(`answers the page ${path} with index.html, fresh and tagged`, async () => {
      const answer = await get(path, NAVIGATION);

      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(answer.headers.get('etag')).toMatch(/^"[\w-]+"$/);
      expect(answer.headers.get('x-robots-tag')).toBe(isHome(path) ? null : 'noindex');
      expect(await answer.text()).not.toContain('name="robots"');
    });
  }

  for (const path of ['/nope', '/console/e/a/b', '/error.html', '/404.html', '/console/assets']) {
    test(`answers the navigation to ${path} with a real 404 that stays out of indexes`, async () => {
      const answer = await get(path, NAVIGATION);
      const html = await answer.text();

      expect(answer.status).toBe(404);
      expect(answer.headers.get('x-robots-tag')).toBe('noindex');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(html).toContain('<meta name="robots" content="noindex"');
      expect(html).toContain('This page could not be found.');
      // The console shows its frame around the text.
      expect(html.includes('<script')).toBe(path.startsWith('/console'));
    });
  }

  for (const path of [
    '/console/assets/nope.js',
    `/console/assets/${script}.map`,
    `/console/assets/${script}%2Emap`,
    `//console/assets/${script}.map`,
    `/assets/./${script}.map`,
    `/console/assets/${script}.br`,
    '/routes.json',
    '/..%2f..%2fpackage.json',
    '/.env',
    '/console/assets/%00.js',
  ]) {
    test(`has nothing to say to ${path.replace(script, '<script>')}`, async () => {
      const answer = await rawGet(path, { accept: '*/*' });

      expect(answer.statusCode).toBe(404);
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-store');
    });
  }

  test('serves hashed files for a year, compressed as asked', async () => {
    const codings = await Promise.all(
      ['br, gzip', 'gzip', 'identity'].map(async (accept) => {
        const answer = await get(`/console/assets/${script}`, { 'accept-encoding': accept });
        await answer.arrayBuffer();
        expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
        return answer.headers.get('content-encoding');
      }),
    );

    expect(codings).toEqual(['br', 'gzip', null]);
  });

  test('serves favicon and robots, and no version.json', async () => {
    expect(await (await get('/robots.txt')).text()).toContain('Disallow: /console');
    expect((await get('/favicon.ico')).status).toBe(200);
    expect((await get('/version.json')).status).toBe(404);
  });

  test('sends strict headers and does not name its software', async () => {
    const { headers } = await get('/', NAVIGATION);

    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'");
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toContain('max-age=63072000');
  });

  for (const [size, cookies] of [
    ['20 KiB', 5],
    ['60 KiB, more than the parser reads', 15],
  ] as const) {
    test(`shows a page to a browser with cookies of ${size}`, async ({ page }) => {
      const value = 'x'.repeat(4_000);
      const names = Array.from({ length: cookies }, (_, index) => `c${index}`);
      await page.context().addCookies(names.map((name) => ({ name, value, url: errata.url })));

      const response = await page.goto(`${errata.url}/console`);

      expect(response?.status()).toBe(431);
      await expect(page).toHaveTitle('431: Request headers too large');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('431');
      await expect(page.getByText('Clear the cookies of this site and reload.')).toBeVisible();
    });
  }

  test('answers problem details to a script with cookies of 20 KiB', async ({ page }) => {
    // The server reads them: above 32 KiB the answer depends on the pieces in which they come (client-error.spec.ts).
    const cookie = Array.from({ length: 5 }, (_, index) => `c${index}=${'x'.repeat(4_000)}`).join('; ');

    const answer = await page.request.get(`${errata.url}/console`, { headers: { cookie } });

    expect([answer.status(), answer.headers()['content-type']]).toEqual([431, 'application/problem+json']);
  });
});

test.describe('a client of a team’s own', () => {
  let clientDir: string;
  let errata: ErrataProcess;

  test.beforeAll(async () => {
    clientDir = mkdtempSync(join(tmpdir(), 'errata-team-'));
    mkdirSync(join(clientDir, 'assets'));
    writeFileSync(join(clientDir, 'index.html'), '<!doctype html><title>Shop</title><h1>Shop</h1>');
    writeFileSync(join(clientDir, 'assets', 'shop-ab12cd34.js'), 'export {};');
    for (const name of ['help.html', 'terms.html', 'cut.html']) {
      writeFileSync(join(clientDir, name), `<h1>${name}</h1>`.repeat(200));
      writeFileSync(join(clientDir, `${name}.br`), brotliCompressSync(`<h1>${name}</h1>`.repeat(200)));
    }
    errata = await new ErrataProcess({ environment: { ERRATA_CLIENT_DIR: clientDir } }).start();
  });

  test.afterAll(async () => {
    await errata.stop();
    rmSync(clientDir, { recursive: true });
  });

  test('is served in place of the built-in one, and the console beside it', async ({ page }) => {
    const statuses = await Promise.all(
      [
        '/',
        '/assets/shop-ab12cd34.js',
        '/console',
        `/console/assets/${script}`,
        '/demo/client-error',
        '/missing',
      ].map(async (path) => (await fetch(errata.url + path, { headers: NAVIGATION })).status),
    );
    const home = await (await fetch(errata.url)).text();
    const missing = await (await fetch(`${errata.url}/missing`, { headers: NAVIGATION })).text();
    await page.goto(`${errata.url}/console`);

    expect(statuses).toEqual([200, 200, 200, 200, 404, 404]);
    expect(home).toContain('<h1>Shop</h1>');
    expect(missing).toContain('This page could not be found.');
    await expect(page.getByLabel('Token')).toBeVisible();
  });

  test('never leaves the headers of a file that is lost or cut on the page of the error', async ({
    page,
  }) => {
    for (const name of ['help.html.br', 'terms.html', 'terms.html.br']) rmSync(join(clientDir, name));

    const help = await page.goto(`${errata.url}/help.html`);
    await expect(page.getByRole('heading', { name: 'help.html' }).first()).toBeVisible();
    const terms = await page.goto(`${errata.url}/terms.html`);
    await expect(page.getByText('This page could not be found.')).toBeVisible();
    // Chromium shows no page for a 416, so only the headers count.
    const range = await fetch(`${errata.url}/cut.html`, {
      headers: { range: 'bytes=999999-', 'accept-encoding': 'br' },
    });

    expect([help?.status(), terms?.status(), range.status]).toEqual([200, 404, 416]);
    expect(await terms?.headerValue('content-encoding')).toBeNull();
    expect(range.headers.get('content-encoding')).toBeNull();
    expect(range.headers.get('content-range')).toMatch(/^bytes \*\/\d+$/);
  });
});
