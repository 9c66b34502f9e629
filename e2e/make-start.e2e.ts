import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from '@playwright/test';
import { freePort } from './fixtures/free-port.ts';
import { test } from './fixtures/test.ts';
import { copyTree, removeTree } from './fixtures/tree-copy.ts';

const START_MS = 90_000;

test('make start builds, prints its URLs and a sign-in link, and stops at Ctrl-C', async () => {
  test.setTimeout(START_MS + 20_000);
  const tree = copyTree();
  const [port, managementPort] = [await freePort(), await freePort()];
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, PORT: String(port), MANAGEMENT_PORT: String(managementPort) };
  const child = spawn('make', ['start'], {
    cwd: tree,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A failed test must not leave the server running.
  const kill = (): boolean => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
  process.once('exit', kill);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }

  await expect.poll(() => output, { timeout: START_MS }).toMatch(/Sign in once +http:\S+\n/);

  const url = `http://127.0.0.1:${port}`;
  expect(output).toContain(`Application   ${url}\n`);
  expect(output).toContain(`Console       ${url}/console\n`);
  expect(output).toContain(`Metrics       http://127.0.0.1:${managementPort}/metrics\n`);
  expect(output).toMatch(/DSN +https:\/\/[\da-f]{32}@errata\.invalid\/1\n/);
  const page = await fetch(url);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('demo&quot;:true')]);
  const ended = once(child, 'close');
  // As a terminal does: to make and to the server.
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
  await ended;
  process.off('exit', kill);
  expect(output).toContain('"msg":"stopped"');
  removeTree(tree);
});
