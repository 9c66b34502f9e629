import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FindAnswer } from '@errata/backend/contract/find-api.ts';
import type { Setup } from '@errata/backend/contract/setup-api.ts';
import { expect } from '@playwright/test';
import { testMessage, type Way, WAYS } from '../frontend/src/console/setup/ways.ts';
import { ask, signIn } from './fixtures/console-pages.ts';
import { ErrataProcess } from './fixtures/errata-process.ts';
import { findPythonSdk } from './fixtures/python-sdk.ts';
import { test } from './fixtures/test.ts';

/**
 * Runs the code of the set-up page, with the values of a running Errata, as after copying it. nest-package.e2e.ts runs that
 * of the Nest module, vite-dev.e2e.ts that of browsers.
 */

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

test('A2: the code for Node.js sends a test error', async () => {
  const way = wayOf('node');

  const [code, output] = await run('sh', '-c', save(way));

  expect(code, output).toBe(0);
  await arrived(way);
});

test('A2: the code for Python sends a test error', async () => {
  const way = wayOf('python');
  const python = findPythonSdk();
  test.skip(python === undefined, 'needs sentry_sdk for Python (Debian package python3-sentry-sdk)');
  const command = save(way).replace('python3', String(python));

  const [code, output] = await run('sh', '-c', command);

  expect(code, output).toBe(0);
  await arrived(way);
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

test('without the demo its routes and links are gone', async () => {
  const headers = { accept: 'text/html' };
  const failing = await fetch(`${errata.url}/demo/server-error?id=1`, { headers });
  const page = await fetch(`${errata.url}/demo/client-error`, { headers });
  const home = await (await fetch(errata.url)).text();

  expect([failing.status, page.status]).toEqual([404, 404]);
  expect(home).not.toContain('/demo/');
});
