import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test } from './fixtures/test.ts';
import { ErrataProcess, TOKEN } from './fixtures/errata-process.ts';
import { TunnelProxy } from './fixtures/tunnel-proxy.ts';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'frontend', 'dist');
const ASSET_HASH = /-([\w-]{8})\.(?:js|css)$/;
const DEBUG_ID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

/**
 * Errata with the client of the next build: other hashes in the names of its files, other debug ids, and no file of the
 * build before.
 */
function nextBuild(root: string): void {
  for (const workspace of ['backend', 'frontend']) {
    cpSync(join(ROOT, workspace, 'dist'), join(root, workspace, 'dist'), { recursive: true });
    cpSync(join(ROOT, workspace, 'package.json'), join(root, workspace, 'package.json'));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  const assets = join(root, 'frontend', 'dist', 'console', 'assets');
  for (const name of readdirSync(assets)) if (/\.(?:gz|br)$/.test(name)) rmSync(join(assets, name));
  const names = readdirSync(assets);
  const hashes = new Set(names.flatMap((name) => ASSET_HASH.exec(name)?.[1] ?? []));
  const renamed = (text: string): string =>
    [...hashes].reduce((all, hash) => all.replaceAll(hash, nextHash(hash)), text);
  for (const name of names) {
    const text = renamed(readFileSync(join(assets, name), 'utf8'));
    writeFileSync(join(assets, name), text.replaceAll(DEBUG_ID, nextHash));
    renameSync(join(assets, name), join(assets, renamed(name)));
  }
  const page = join(root, 'frontend', 'dist', 'index.html');
  writeFileSync(page, renamed(readFileSync(page, 'utf8')));
}

/**
 * Increments each digit below 9 and replaces a letter at the start by 7: the result is a hash, or a debug id, again.
 */
function nextHash(text: string): string {
  return text.replaceAll(/[0-8]/g, (digit) => String(Number(digit) + 1)).replace(/^(\D)/, '7');
}

interface NewestEvent {
  readonly unmapped: string | null;
  readonly exceptions: readonly {
    readonly frames: readonly { readonly file: string; readonly mapped: boolean }[];
  }[];
}

/** Returns the newest event of the only issue, or undefined while there is none. */
async function newestEvent(url: string): Promise<NewestEvent | undefined> {
  const get = async (path: string): Promise<unknown> => {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${TOKEN}` } });
    return answer.ok ? answer.json() : {};
  };
  const { issues } = (await get('/console/api/issues')) as {
    readonly issues?: readonly { digest: string }[];
  };
  const [issue] = issues ?? [];
  if (issue === undefined) return undefined;
  const { latest } = (await get(`/console/api/issues/${issue.digest}`)) as { readonly latest?: NewestEvent };
  return latest;
}

let folder: string;
let dataDir: string;
let root: string;

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'errata-builds-'));
  [dataDir, root] = [join(folder, 'data'), join(folder, 'next')];
  nextBuild(root);
});

test.afterEach(() => rmSync(folder, { recursive: true }));

test('a process that was killed as soon as it was ready leaves all its files to the next build', async () => {
  await (await new ErrataProcess({ dataDir }).start()).kill();
  const after = await new ErrataProcess({ dataDir, root }).start();
  const names = readdirSync(join(DIST, 'console', 'assets')).filter((name) => /\.(?:js|css)$/.test(name));

  const answers = await Promise.all(names.map((name) => fetch(`${after.url}/console/assets/${name}`)));

  expect(names.length).toBeGreaterThan(10);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  await after.stop();
});

test('a tab that was opened before a deploy opens its pages and has its stack mapped', async ({ page }) => {
  const before = await new ErrataProcess({ dataDir }).start();
  await expect
    .poll(() => before.records.find(({ msg }) => msg === 'source_maps_stored'))
    .toMatchObject({ skipped: 0, removed: 0 });

  // The old server does not accept the error, so the browser keeps it in its outbox.
  const proxy = await new TunnelProxy(before.url).start();
  proxy.state = 'reset';
  await page.goto(proxy.url);
  const tab = await page.context().newPage();
  await tab.goto(proxy.url);
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/tunnel'));
  await page.getByText('Break this page').click();
  await expect(page.getByRole('alert')).toBeVisible();
  await failed;
  expect(await before.stop()).toBe(0);

  const after = await new ErrataProcess({ dataDir, root, environment: { SENTRY_RELEASE: 'next' } }).start();
  proxy.target = after.url;
  proxy.state = 'pass';
  await tab.getByText('Look it up in the console').click();
  await expect(tab.getByLabel('Console token')).toBeVisible();
  expect(await (await fetch(`${after.managementUrl}/metrics`)).text()).toMatch(/source="store"\} [1-9]/);
  await page.evaluate(() => dispatchEvent(new Event('online')));

  await expect.poll(() => newestEvent(after.url)).toMatchObject({ unmapped: null });
  const frames = (await newestEvent(after.url))?.exceptions[0]?.frames ?? [];
  expect(frames.find(({ file }) => file.includes('demo-pages'))).toMatchObject({
    file: 'src/app/demo-pages.tsx',
    mapped: true,
  });
  await proxy.stop();
  await after.stop();
});
