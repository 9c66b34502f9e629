import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FindAnswer } from '@errata/backend/contract/find-api.ts';
import type { Setup } from '@errata/backend/contract/setup-api.ts';
import { expect } from '@playwright/test';
import { build } from 'vite';
import { testMessage, type Way, WAYS } from '../frontend/src/console/setup/ways.ts';
import { packNest } from '../tools/pack.ts';
import { ask, signIn } from './fixtures/console-pages.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { PackedApplication } from './fixtures/packed-application.ts';
import { findPythonSdk } from './fixtures/python-sdk.ts';
import { test } from './fixtures/test.ts';

/** Runs the code of the set-up page, with the values of a running Errata, as after copying it. */

let errata: ErrataProcess;
let setup: Setup;
/** Below e2e, so that programs find the packages of this workspace. */
let folder: string;

test.beforeAll(async () => {
  errata = await new ErrataProcess({ environment: { ERRATA_DEMO: 'off' } }).start();
  setup = await ask<Setup>(errata, '/console/api/setup');
  const results = join(import.meta.dirname, 'test-results');
  mkdirSync(results, { recursive: true });
  folder = mkdtempSync(join(results, 'setup-'));
});

test.afterAll(async () => {
  expect(await errata.stop()).toBe(0);
  rmSync(folder, { recursive: true });
});

function wayOf(id: string): Way {
  const way = WAYS.find((one) => one.id === id);
  if (way === undefined) throw new Error(`no way ${id}`);
  return way;
}

/** Returns the code as the page shows it to an operator. */
function codeOf(way: Way): string {
  const [own] = setup.projects;
  if (own?.serverDsn == null) throw new Error('no server DSN');
  return way.code({ browserDsn: own.browserDsn, serverDsn: own.serverDsn, tunnel: setup.tunnel });
}

/** Runs a program to its end and returns its exit code with its output. */
async function run(program: string, ...args: readonly string[]): Promise<readonly [number | null, string]> {
  const { PATH = '' } = process.env;
  const child = spawn(program, args, { cwd: folder, env: { PATH, HOME: folder } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => void (output += chunk.toString()));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return [code, output];
}

/** Waits until the console finds the test error of a way, and only that. */
async function arrived(way: Way): Promise<void> {
  const query = new URLSearchParams({ q: `"${testMessage(way)}"` });
  await expect
    .poll(async () => (await ask<FindAnswer>(errata, `/console/api/find?${query}`)).issues.length)
    .toBe(1);
}

for (const id of ['curl', 'sentry-cli']) {
  test(`the command of ${id} sends a test error`, async () => {
    const way = wayOf(id);

    const [code, output] = await run('sh', '-c', codeOf(way));

    expect(code, output).toBe(0);
    await arrived(way);
  });
}

/** Saves the code in the file that the page names. Returns the command that the page names. */
function save(way: Way): string {
  if (way.run === undefined) throw new Error(`${way.id} has no file`);
  writeFileSync(join(folder, way.run.file), codeOf(way));
  return way.run.command;
}

test('the code for Node.js sends a test error', async () => {
  const way = wayOf('node');

  const [code, output] = await run('sh', '-c', save(way));

  expect(code, output).toBe(0);
  await arrived(way);
});

test('the code for Python sends a test error', async () => {
  const way = wayOf('python');
  const python = findPythonSdk();
  test.skip(python === undefined, 'needs sentry_sdk for Python (Debian package python3-sentry-sdk)');
  const command = save(way).replace('python3', String(python));

  const [code, output] = await run('sh', '-c', command);

  expect(code, output).toBe(0);
  await arrived(way);
});

test('the code for the Nest module sends a test error', async () => {
  const way = wayOf('nest');
  const shop = new PackedApplication(packNest(), 'backend', ['@types/node', '@types/express', 'typescript']);
  shop.write('src/app.module.ts', codeOf(way));
  shop.write(
    'src/main.ts',
    `
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

const application = await NestFactory.create(AppModule, { logger: ['error'] });
await application.listen(process.env['PORT'] ?? 3000, '127.0.0.1');
console.log(JSON.stringify({ msg: 'started', application: await application.getUrl() }));
`,
  );
  expect(shop.compile({ types: ['node'] })).toBe('');
  const host = await new ErrataProcess({ main: join(shop.folder, 'dist', 'main.js') }).start();

  const answer = await fetch(`${host.url}/test-error`);

  expect(answer.status).toBe(500);
  await arrived(way);
  await host.stop();
  shop.remove();
});

test.describe('a page', () => {
  // The script of the test is not one of the page's own.
  test.use({ bypassCSP: true });

  test('has the code for browsers, and sends a test error', async ({ page }) => {
    const way = wayOf('browser');
    const file = join(folder, 'page.js');
    writeFileSync(file, codeOf(way));
    const built = await build({
      root: folder,
      logLevel: 'silent',
      configFile: false,
      build: { write: false, rollupOptions: { input: file, output: { format: 'iife' } } },
    });
    const [output] = Array.isArray(built) ? built : [built];
    if (output === undefined || !('output' in output)) throw new Error('no bundle');
    await page.goto(`${errata.url}/nope`);

    await page.addScriptTag({ content: output.output[0].code });

    await arrived(way);
  });
});

test('a person copies the code, sends a test error and follows it to its answer', async ({ page }) => {
  await signIn(page, errata.url);
  await page.goto(`${errata.url}/console/setup?way=python`);
  const shown = await page.locator('pre').textContent();
  await page.getByRole('link', { name: 'Browser', exact: true }).click();
  await page.getByRole('button', { name: 'Send a test error' }).click();
  await page.getByRole('link', { name: /Test error: Browser/ }).click();

  expect(shown).toBe(codeOf(wayOf('python')));
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Test error: Browser');
});

test('no page has the server key', async () => {
  const { username } = new URL(setup.projects[0]?.serverDsn ?? '');

  const pages = await Promise.all(
    ['/', '/console', '/console/setup', '/nope'].map(async (path) => (await fetch(errata.url + path)).text()),
  );

  expect(pages.filter((html) => html.includes(username))).toEqual([]);
});
