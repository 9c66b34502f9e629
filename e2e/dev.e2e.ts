import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect } from '@playwright/test';
import { freePort } from './fixtures/free-port.ts';
import { test } from './fixtures/test.ts';
import { copyTree, removeTree } from './fixtures/tree-copy.ts';

const START_MS = 90_000;
const EDIT_MS = 60_000;
/** Vite's own port; when it is in use, Vite takes the next free one. */
const VITE_PORT = 5_173;

test.describe('make dev', () => {
  test.describe.configure({ mode: 'serial', timeout: START_MS + EDIT_MS });
  let tree: string;
  let child: ChildProcess;
  let blocker: Server;
  let management: string;
  let output = '';

  /** Waits until the output matches, and returns the first group. */
  async function printed(pattern: RegExp, timeout: number): Promise<string> {
    await expect.poll(() => output, { timeout }).toMatch(pattern);
    return pattern.exec(output)?.[1] ?? '';
  }
  const clientUrl = (): Promise<string> => printed(/Local: +(http:\/\/localhost:\d+)/, START_MS);

  test.beforeAll(async () => {
    tree = copyTree();
    // The port may be in use already, which is as good.
    blocker = createServer().on('error', () => undefined);
    blocker.listen(VITE_PORT, 'localhost');
    const [port, managementPort] = [await freePort(), await freePort()];
    management = `http://127.0.0.1:${managementPort}`;
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, PORT: String(port), MANAGEMENT_PORT: String(managementPort) };
    child = spawn('make', ['dev'], { cwd: tree, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const keep = (chunk: Buffer): void => {
      output += stripVTControlCharacters(chunk.toString());
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
  });

  test.afterAll(async () => {
    blocker.close();
    const ended = once(child, 'close');
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await ended;
    removeTree(tree);
  });

  test('starts on the given ports', async () => {
    const status = (): Promise<number> =>
      fetch(`${management}/readyz`).then(
        (response) => response.status,
        () => 0,
      );
    await expect.poll(status, { timeout: START_MS, message: 'GET /readyz' }).toBe(200);
  });

  test('serves the client on the next free port, where the printed sign-in link works', async ({ page }) => {
    const url = await clientUrl();
    const link = await printed(/Sign in once +(http:\S+)/, START_MS);

    expect(new URL(url).port).not.toBe(String(VITE_PORT));
    await page.goto(`${url}/console/sign-in${new URL(link).hash}`);

    await expect(page).toHaveURL(`${url}/console`, { timeout: START_MS });
    expect((await page.request.get(`${url}/console/api/issues`)).status()).toBe(200);
  });

  test('restarts the server after an edit of its sources', async () => {
    await clientUrl();
    appendFileSync(
      join(tree, 'backend', 'src', 'main.ts'),
      "\nprocess.stderr.write('the edited server runs\\n');\n",
    );

    await printed(/(the edited server runs)\n/, EDIT_MS);
  });

  test('serves an edit of the client', async () => {
    const url = await clientUrl();
    appendFileSync(join(tree, 'frontend', 'src', 'main.tsx'), "\ndocument.title = 'the edited client';\n");

    const source = async (): Promise<string> => (await fetch(`${url}/src/main.tsx`)).text();
    await expect.poll(source, { timeout: EDIT_MS }).toContain('the edited client');
  });
});
